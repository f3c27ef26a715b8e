/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/run/terminal.c - runs a program in a terminal of its own
 *
 * terminal WORD PROGRAM [ARGS] copies the output of the program.  When a line
 * is "interrupt", it presses Ctrl-C; when a line is "close", it closes the
 * terminal.  WORD is "tostop" if background processes must not write to the
 * terminal, otherwise any other word.  Its exit status is that of the program,
 * or 128 and the signal that ended it.
 */

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int
terminal_become(const char *name, bool stop, char **program)
{
	struct termios setting;
	int fd;

	setsid();
	fd = open(name, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0 ||
	    tcgetattr(fd, &setting) != 0)
		return 126;
	setting.c_oflag &= (tcflag_t)~OPOST;
	if (stop)
		setting.c_lflag |= TOSTOP;
	tcsetattr(fd, TCSANOW, &setting);
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	close(fd);
	execvp(program[0], program);
	return 127;
}

static void
terminal_copy(int fd)
{
	FILE *from = fdopen(fd, "r");
	char line[4096];

	while (from != NULL && fgets(line, sizeof(line), from) != NULL) {
		fputs(line, stdout);
		fflush(stdout);
		if (strcmp(line, "interrupt\n") == 0 &&
		    write(fd, "\003", 1) != 1)
			break;
		if (strcmp(line, "close\n") == 0)
			break;
	}
	if (from != NULL)
		fclose(from);
}

int
main(int argc, char **argv)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	int status;
	pid_t pid;

	if (argc < 3 || fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0)
		return 125;
	pid = fork();
	if (pid == 0)
		_exit(terminal_become(ptsname(fd),
		    strcmp(argv[1], "tostop") == 0, argv + 2));
	terminal_copy(fd);
	if (waitpid(pid, &status, 0) != pid)
		return 125;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}
