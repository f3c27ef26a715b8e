# SPDX-License-Identifier: MIT
#
# tests/bench/programs/life.sh - cases of programs for biology
#
# Each case of tests/bench/mpi_programs finds an example that Debian ships and
# defines its result.

doc=/usr/share/doc

case_abyss() {
	gunzip -c $doc/abyss/test-data/reads1.fastq.gz 2>/dev/null |
	    head -n 4000 >reads.fastq
	both openmpi abyss_contigs /usr/lib/abyss/ABYSS-P -k 25 -q 3 \
	    -o contigs.fa reads.fastq
}

abyss_contigs() {
	grep -v '>' contigs.fa | sort
}

case_ampliconnoise() {
	cp $doc/ampliconnoise/examples/C005.dat.xz . 2>/dev/null && unxz ./*.xz
	awk 'NR == 1 { $1 = 60 } NR <= 61' C005.dat >some.dat
	LC_ALL=C.UTF-8 PYRO_LOOKUP_FILE=/usr/share/ampliconnoise/Data/LookUp_E123.dat \
	    both openmpi ampliconnoise_distances PyroDist -in some.dat -out some
}

ampliconnoise_distances() {
	cat some.fdist
}

case_examl() {
	cp $doc/examl/testData/49.gz $doc/examl/testData/49.tree . 2>/dev/null
	gunzip 49.gz && parse-examl -s 49 -m DNA -n 49 >/dev/null
	both openmpi examl_tree /usr/lib/examl/bin/examl-sse3 -t 49.tree \
	    -f e -m GAMMA -s 49.binary -n T1
}

examl_tree() {
	grep -i likelihood ExaML_info.T1 | sed 's/[0-9.]* *$//'
	cat ExaML_TreeFile.T1
}

case_garli() {
	life_alignment
	cat >garli.conf <<'END'
[general]
datafname = example.phy
constraintfile = none
streefname = random
attachmentspertaxon = 10
ofprefix = out
randseed = 5
availablememory = 128
logevery = 10
saveevery = 100
refinestart = 1
outputeachbettertopology = 0
outputcurrentbesttopology = 0
enforcetermconditions = 1
genthreshfortopoterm = 200
scorethreshforterm = 0.05
significanttopochange = 0.01
outputphyliptree = 0
outputmostlyuselessfiles = 0
writecheckpoints = 0
restart = 0
outgroup = 1
resampleproportion = 1.0
inferinternalstateprobs = 0
outputsitelikelihoods = 0
optimizeinputonly = 0
collapsebranches = 1
searchreps = 1
bootstrapreps = 0
[model1]
datatype = nucleotide
ratematrix = 1rate
statefrequencies = equal
ratehetmodel = none
numratecats = 1
invariantsites = none
[master]
nindivs = 4
holdover = 1
selectionintensity = 0.5
holdoverpenalty = 0
stopgen = 200
stoptime = 60
startoptprec = 0.5
minoptprec = 0.01
numberofprecreductions = 1
treerejectionthreshold = 50.0
topoweight = 1.0
modweight = 0.05
brlenweight = 0.2
randnniweight = 0.1
randsprweight = 0.3
limsprweight = 0.6
intervallength = 100
intervalstostore = 5
limsprrange = 6
meanbrlenmuts = 5
gammashapebrlen = 1000
gammashapemodel = 1000
uniqueswapbias = 0.1
distanceswapbias = 1.0
END
	both openmpi garli_trees /usr/lib/garli/bin/Garli-mpi -2
}

garli_trees() {
	grep -h '^tree' out*.best*.tre
}

# The alignment of iqtree's documentation.
life_alignment() {
	cp $doc/iqtree/examples/example.phy* . 2>/dev/null
	gunzip -q ./*.gz 2>/dev/null
}

case_iqtree() {
	life_alignment
	both openmpi iqtree_tree iqtree2-mpi -s example.phy -m HKY+G -seed 1 \
	    -T 1 -n 2
}

iqtree_tree() {
	grep -E 'Log-likelihood|BEST SCORE' "$work/out" example.phy.iqtree
	cat example.phy.treefile
}

case_phyml() {
	life_alignment
	both openmpi phyml_tree /usr/lib/phyml/bin/phyml-mpi -i example.phy \
	    -b 4 -m HKY85 --r_seed 1 --quiet --no_memory_check
}

phyml_tree() {
	cat example.phy_phyml_tree* && grep -i likelihood example.phy_phyml_stats*
}

case_puzzle() {
	life_alignment
	both openmpi puzzle_tree sh -c 'exec tree-ppuzzle example.phy <<END
y
END'
}

# The order of branches differs in each run.
puzzle_tree() {
	grep -E 'log likelihood|Number of|^ [A-Z][a-z]+ ' example.phy.puzzle
}

case_ray() {
	cp $doc/ray/test_data/*.gz . 2>/dev/null && gunzip ./*.gz
	both openmpi ray_contigs Ray -k 31 -p ecoli_1K_1.fq ecoli_1K_2.fq \
	    -o out
}

ray_contigs() {
	cat out/Contigs.fasta
}

case_hyphy() {
	life_alignment
	cat >like.bf <<'END'
DataSet d = ReadDataFile("example.phy");
DataSetFilter f = CreateFilter(d, 1);
HarvestFrequencies(freq, f, 1, 1, 1);
fprintf(stdout, "nodes ", MPI_NODE_COUNT, " frequencies ", freq, "\n");
if (MPI_NODE_COUNT > 1) {
	MPISend(1, "return 6 * 7;");
	MPIReceive(-1, from, got);
	fprintf(stdout, "from ", from, " ", got, "\n");
}
END
	both openmpi said_untimed /usr/lib/hyphy/bin/HYPHYMPI "$here/like.bf"
}

case_murasaki() {
	awk 'BEGIN { srand(1); for (s = 1; s < 3; s++) {
	    file = "s" s ".fa"; print ">s" s >file
	    for (i = 0; i < 20000; i++) {
		c = i % 97 < 60 ? (i * i + i) % 4 : int(rand() * 4)
		printf "%s", substr("ACGT", c + 1, 1) >file }
	    print "" >file } }'
	both openmpi murasaki_anchors murasaki-mpi -p101011010111 -n out \
	    s1.fa s2.fa
}

murasaki_anchors() {
	sort output/out.anchors
}

case_ffindex() {
	mkdir data && for n in a b c d e; do echo "$n $n" >data/$n; done
	ffindex_build -s data.ffdata data.ffindex data 2>/dev/null
	both openmpi ffindex_sum ffindex_apply_mpi data.ffdata data.ffindex \
	    -- wc -c
}

ffindex_sum() {
	sort "$work/out"
}
