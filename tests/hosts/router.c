/* SPDX-License-Identifier: MIT */
/*
 * tests/hosts/router.c - a network with delays between hosts on one machine
 *
 * Each host is a network namespace with a TUN device.  A packet that a host
 * sends is held back for the delay of its link, and then written to the device
 * of its destination.  Packets of a link keep their order, and packets beyond a
 * fixed number are dropped, as routers do.
 *
 *	router FILE UP	creates the file UP when the hosts have their devices
 *
 * Lines of the file; a later line overrides, and # begins a comment:
 *
 *	host NAME ADDRESS NAMESPACE	IPv4 address, file of the namespace
 *	link A B DELAY [JITTER [LOSS [RATE]]]
 *		both directions of two hosts, * for all: microseconds, percent,
 *		Mbit/s; a delay is drawn between DELAY and DELAY + JITTER, or
 *		with a JITTER of exp:MEAN it is DELAY and an exponential time
 *	way A B DELAY [JITTER [LOSS [RATE]]]
 *		as link, the direction from A to B alone
 *	seed N		of the draws; default 1
 */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <math.h>
#include <net/if.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define HOSTS 64
#define NAME_BYTES 32
#define DEVICE "host0"
#define NET_BITS 16
#define PACKET_BYTES 1500
#define PACKETS 65536 /* that are held back at most */
#define BURST 64      /* packets of one device in a row */
#define NS_PER_US 1000u
#define NS_PER_S UINT64_C(1000000000)
#define BIT_NS_PER_MBIT 1000u

struct host {
	char name[NAME_BYTES];
	struct in_addr address;
	int device;
};

/* One direction between two hosts. */
struct link {
	uint64_t delay_ns, jitter_ns;
	bool exponential; /* jitter_ns is a mean */
	double loss;	  /* probability */
	double mbit;	  /* 0: no limit */
	uint64_t busy;	  /* until when the link sends earlier packets */
	uint64_t last;	  /* when the last packet arrives */
};

struct packet {
	uint64_t due;
	uint64_t number; /* orders packets that are due at once */
	int to;
	unsigned bytes;
	uint8_t data[PACKET_BYTES];
};

static struct host hosts[HOSTS];
static int host_count;
static struct link links[HOSTS][HOSTS];
static struct packet *heap[PACKETS]; /* the first is due first */
static unsigned heap_count;
static struct packet *unused; /* a list: the next is in data */
static uint64_t packet_number;
static uint64_t seed = 1;

__attribute__((format(printf, 1, 2), noreturn)) static void
fail(const char *fmt, ...)
{
	va_list ap;

	fputs("router: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

static uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Returns a number from 0 to 1.  Source: splitmix64, Steele et al. 2014. */
static double
draw(void)
{
	uint64_t x = seed += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

/* --- hosts --------------------------------------------------------------- */

/* Creates a device in the namespace of this thread, with an address. */
static int
device_open(const struct host *host)
{
	struct ifreq ifr = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	struct sockaddr_in sin = { .sin_family = AF_INET,
		.sin_addr = host->address };
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), DEVICE);
	if (fd < 0 || control < 0 || ioctl(fd, TUNSETIFF, &ifr) != 0)
		fail("host %s: /dev/net/tun: %s", host->name, strerror(errno));
	memcpy(&ifr.ifr_addr, &sin, sizeof(sin));
	if (ioctl(control, SIOCSIFADDR, &ifr) != 0)
		fail("host %s: address: %s", host->name, strerror(errno));
	sin.sin_addr.s_addr = htonl(~UINT32_C(0) << (32 - NET_BITS));
	memcpy(&ifr.ifr_netmask, &sin, sizeof(sin));
	if (ioctl(control, SIOCSIFNETMASK, &ifr) != 0)
		fail("host %s: mask: %s", host->name, strerror(errno));
	ifr.ifr_flags = IFF_UP | IFF_RUNNING;
	if (ioctl(control, SIOCSIFFLAGS, &ifr) != 0)
		fail("host %s: up: %s", host->name, strerror(errno));
	close(control);
	return fd;
}

static void
host_add(const char *name, const char *address, const char *file)
{
	struct host *host = &hosts[host_count];
	int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	int other = open(file, O_RDONLY | O_CLOEXEC);

	if (host_count == HOSTS)
		fail("more than %d hosts", HOSTS);
	snprintf(host->name, sizeof(host->name), "%.31s", name);
	if (inet_pton(AF_INET, address, &host->address) != 1)
		fail("host %s: address %s", name, address);
	if (other < 0 || setns(other, CLONE_NEWNET) != 0)
		fail("host %s: %s: %s", name, file, strerror(errno));
	host->device = device_open(host);
	if (setns(own, CLONE_NEWNET) != 0)
		fail("the own namespace: %s", strerror(errno));
	close(other);
	close(own);
	host_count++;
}

/* Returns the host with an address, or -1. */
static int
host_find(const void *address)
{
	for (int i = 0; i < host_count; i++)
		if (memcmp(&hosts[i].address, address,
			sizeof(hosts[i].address)) == 0)
			return i;
	return -1;
}

static bool
host_matches(int host, const char *name)
{
	return strcmp(name, "*") == 0 || strcmp(name, hosts[host].name) == 0;
}

/* both	both directions, not only that from a to b */
static void
link_set(const char *a, const char *b, bool both, const struct link *link)
{
	bool any = false;

	for (int i = 0; i < host_count; i++)
		for (int j = 0; j < host_count; j++) {
			bool is = (host_matches(i, a) && host_matches(j, b)) ||
			    (both && host_matches(i, b) && host_matches(j, a));

			if (is && i != j)
				links[i][j] = *link;
			any |= is;
		}
	if (!any)
		fail("link %s %s: no such hosts", a, b);
}

/* --- the file ------------------------------------------------------------ */

/* Reads JITTER or exp:MEAN. */
static bool
read_jitter(const char *text, struct link *link)
{
	double us;
	char *end;

	link->exponential = strncmp(text, "exp:", 4) == 0;
	text += link->exponential ? 4 : 0;
	us = strtod(text, &end);
	link->jitter_ns = us >= 0 ? (uint64_t)(us * NS_PER_US) : 0;
	return end != text && *end == '\0' && us >= 0;
}

static void
read_line(char *line)
{
	char what[8], a[256], b[256], c[256], jitter[32] = "0";
	double delay, loss = 0, mbit = 0;
	struct link link = { 0 };
	unsigned long long n;

	line[strcspn(line, "#\n")] = '\0';
	if (line[strspn(line, " \t")] == '\0')
		return;
	if (sscanf(line, "host %31s %255s %255s", a, b, c) == 3)
		host_add(a, b, c);
	else if (sscanf(line, "%7s %31s %31s %lf %31s %lf %lf", what, a, b,
		     &delay, jitter, &loss, &mbit) >= 4 &&
	    (strcmp(what, "link") == 0 || strcmp(what, "way") == 0) &&
	    delay >= 0 && read_jitter(jitter, &link) && loss >= 0 &&
	    loss <= 100 && mbit >= 0) {
		link.delay_ns = (uint64_t)(delay * NS_PER_US);
		link.loss = loss / 100;
		link.mbit = mbit;
		link_set(a, b, what[0] == 'l', &link);
	} else if (sscanf(line, "seed %llu", &n) == 1)
		seed = n;
	else
		fail("not understood: %s", line);
}

static void
read_file(const char *name)
{
	FILE *f = fopen(name, "re");
	char line[1024];

	if (!f)
		fail("%s: %s", name, strerror(errno));
	while (fgets(line, sizeof(line), f))
		read_line(line);
	fclose(f);
}

/* --- packets ------------------------------------------------------------- */

static struct packet *
packet_new(void)
{
	struct packet *p = unused;

	if (!p)
		return malloc(sizeof(*p));
	memcpy(&unused, p->data, sizeof(unused));
	return p;
}

static void
packet_free(struct packet *p)
{
	memcpy(p->data, &unused, sizeof(unused));
	unused = p;
}

static bool
packet_is_before(const struct packet *a, const struct packet *b)
{
	return a->due != b->due ? a->due < b->due : a->number < b->number;
}

static void
heap_add(struct packet *p)
{
	unsigned at = heap_count++;

	for (; at > 0 && packet_is_before(p, heap[(at - 1) / 2]);
	     at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = p;
}

static struct packet *
heap_take(void)
{
	struct packet *first = heap[0];
	struct packet *p = heap[--heap_count];
	unsigned at = 0, child;

	while ((child = 2 * at + 1) < heap_count) {
		if (child + 1 < heap_count &&
		    packet_is_before(heap[child + 1], heap[child]))
			child++;
		if (!packet_is_before(heap[child], p))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = p;
	return first;
}

static uint64_t
link_jitter(const struct link *link)
{
	double times = link->exponential ? -log(1 - draw()) : draw();

	return (uint64_t)(times * (double)link->jitter_ns);
}

/* Decides when a packet arrives.  Returns false when it is lost. */
static bool
packet_route(struct packet *p, int from)
{
	struct link *link;
	uint64_t now = now_ns();

	/* The version, and the address of the destination. */
	if (p->bytes < 20 || p->data[0] >> 4 != 4)
		return false;
	p->to = host_find(p->data + 16);
	if (p->to < 0 || p->to == from || heap_count == PACKETS)
		return false;
	link = &links[from][p->to];
	if (link->loss > 0 && draw() < link->loss)
		return false;
	p->due = now;
	if (link->mbit > 0) {
		if (link->busy < now)
			link->busy = now;
		link->busy +=
		    (uint64_t)(p->bytes * 8.0 * BIT_NS_PER_MBIT / link->mbit);
		p->due = link->busy;
	}
	p->due += link->delay_ns + link_jitter(link);
	if (p->due < link->last)
		p->due = link->last;
	link->last = p->due;
	p->number = packet_number++;
	return true;
}

static void
receive(int from)
{
	for (int i = 0; i < BURST; i++) {
		struct packet *p = packet_new();
		ssize_t n;

		if (!p)
			fail("no memory");
		n = read(hosts[from].device, p->data, sizeof(p->data));
		p->bytes = n > 0 ? (unsigned)n : 0;
		if (n > 0 && packet_route(p, from))
			heap_add(p);
		else
			packet_free(p);
		if (n <= 0)
			return;
	}
}

static void
deliver(void)
{
	while (heap_count > 0 && heap[0]->due <= now_ns()) {
		struct packet *p = heap_take();

		/* A host that is cut off gets nothing. */
		if (write(hosts[p->to].device, p->data, p->bytes) < 0)
			errno = 0;
		packet_free(p);
	}
}

/* Waits for packets to receive, at most until the first one is due. */
static int
await(int poll, struct epoll_event *events)
{
	struct timespec left;
	uint64_t now = now_ns();
	uint64_t ns;

	if (heap_count == 0)
		return epoll_pwait2(poll, events, HOSTS, NULL, NULL);
	ns = heap[0]->due > now ? heap[0]->due - now : 0;
	left.tv_sec = (time_t)(ns / NS_PER_S);
	left.tv_nsec = (long)(ns % NS_PER_S);
	return epoll_pwait2(poll, events, HOSTS, &left, NULL);
}

/* Creates an empty file. */
static void
file_create(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		fail("%s: %s", name, strerror(errno));
	close(fd);
}

static void
watch(int poll, int host)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = host };

	if (epoll_ctl(poll, EPOLL_CTL_ADD, hosts[host].device, &event) != 0)
		fail("epoll: %s", strerror(errno));
}

int
main(int argc, char **argv)
{
	int poll = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event events[HOSTS];

	if (argc != 3)
		fail("usage: router FILE UP");
	/* The kernel may delay the end of a wait by this many ns. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	read_file(argv[1]);
	for (int i = 0; i < host_count; i++)
		watch(poll, i);
	file_create(argv[2]);
	for (;;) {
		int n = await(poll, events);

		for (int i = 0; i < n; i++)
			receive(events[i].data.fd);
		deliver();
	}
}
