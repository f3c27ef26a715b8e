# SPDX-License-Identifier: MIT
#
# tests/bench/programs/matter.sh - cases of programs for chemistry and physics
#
# Cases of tests/bench/mpi_programs: small molecules, small boxes.

doc=/usr/share/doc

case_lammps() {
	both openmpi thermodynamics lmp \
	    -in /usr/share/lammps/examples/melt/in.melt
}

case_liggghts() {
	cat >in.fall <<'END'
atom_style granular
atom_modify map array
boundary f f f
newton off
communicate single vel yes
units si
region box block -0.05 0.05 -0.05 0.05 0.0 0.15 units box
create_box 1 box
neighbor 0.002 bin
neigh_modify delay 0
fix m1 all property/global youngsModulus peratomtype 5.e6
fix m2 all property/global poissonsRatio peratomtype 0.45
fix m3 all property/global coefficientRestitution peratomtypepair 1 0.9
fix m4 all property/global coefficientFriction peratomtypepair 1 0.05
pair_style gran model hertz tangential history
pair_coeff * *
timestep 0.00001
fix g all gravity 9.81 vector 0.0 0.0 -1.0
fix w all wall/gran model hertz tangential history primitive type 1 zplane 0.0
lattice sc 0.01
create_atoms 1 region box
set type 1 diameter 0.005 density 2500
fix i all nve/sphere
thermo 200
thermo_style custom step atoms ke
run 1000
END
	both openmpi thermodynamics liggghts -in in.fall
}

# The table of LAMMPS and similar programs.
thermodynamics() {
	awk '/^ *Step/ { on = 1 } /^Loop time/ { on = 0 } on' "$work/out" |
	    sed 's/ *[0-9.]*$//'
}

case_gromacs() {
	command -v gmx_mpi >/dev/null && water >"$work/out" 2>"$work/err"
	both openmpi energies gmx_mpi mdrun -reprod -ntomp 1 -s topol.tpr
}

energies() {
	awk '/Energies \(kJ/ { on = 8 } on-- > 0 && !/^DD /' md.log
}

# A box of water.
water() {
	gmx solvate -cs spc216.gro -box 2.5 2.5 2.5 -o conf.gro || return 1
	molecules=$(grep -c 'SOL.*OW' conf.gro)
	cat >topol.top <<END
#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
water
[ molecules ]
SOL $molecules
END
	cat >grompp.mdp <<END
integrator = md
nsteps = 100
dt = 0.001
nstlog = 50
coulombtype = PME
tcoupl = no
gen_vel = yes
gen_seed = 1
END
	gmx grompp -maxwarn 5 -o topol.tpr
}

case_nwchem_openmpi() {
	water_nwchem
	both openmpi nwchem_energies nwchem.openmpi water.nw
}

case_nwchem_mpich() {
	water_nwchem
	both mpich nwchem_energies nwchem.mpich water.nw
}

water_nwchem() {
	cat >water.nw <<'END'
start water
geometry units angstrom
 O 0.0 0.0 0.0
 H 0.0 0.757 0.587
 H 0.0 -0.757 0.587
end
basis
 * library 6-31g
end
scf
 direct
end
task scf gradient
END
}

nwchem_energies() {
	grep -E 'Total SCF energy|Nuclear repulsion|^ +[0-9] [OH] ' \
	    "$work/out" | rounded
}

case_mpqc() {
	cp $doc/mpqc/examples/mp2h2o.in .
	both openmpi mpqc_energies mpqc mp2h2o.in
}

mpqc_energies() {
	grep -iE 'energy|gradient|^ +[0-9]+ +[HO] ' "$work/out" | rounded
}

case_molds() {
	cp $doc/molds/examples/ch4_am1.in .
	both openmpi said_untimed molds ch4_am1.in
}

case_bagel() {
	cp $doc/bagel/examples/hf_svp_hf.json .
	both openmpi bagel_energies BAGEL hf_svp_hf.json
}

bagel_energies() {
	awk '/SCF|energy|^ +[0-9]+ +-[0-9]/ { print $1, $2 }' "$work/out" |
	    rounded | sort
}

case_cp2k() {
	cp $doc/cp2k/examples/H2O.inp . 2>/dev/null
	CP2K_DATA_DIR=/usr/share/cp2k
	export CP2K_DATA_DIR
	both openmpi cp2k_energies cp2k.psmp -i H2O.inp
}

cp2k_energies() {
	cut -c 1-60 H2O_OT-1.ener | awk '{ print $1, $3, $5 }' | rounded
}

case_elk() {
	sed 's|\.\./\.\./\.\./species/|/usr/share/elk-lapw/species/|
	    s/^  4  4  4/  2  2  2/' \
	    $doc/elk-lapw/examples/basic/Al/elk.in >elk.in
	both openmpi elk_energies elk-lapw
}

elk_energies() {
	rounded <TOTENERGY.OUT
}

# The pseudopotential of hydrogen by Goedecker, Teter and Hutter.  Source: Phys. Rev. B 54, 1703 (1996).
hydrogen_gth() {
	cat <<'END'
Goedecker-Teter-Hutter  hydrogen
1 1 930910 zatom,zion,pspdat
2 1 0 0 2001 0. pspcod,pspxc,lmax,lloc,mmax,r2well
0.2 -4.0663326 0.6678322 0 0 rloc, c1, c2, c3, c4
0 0 0 rs, h1s, h2s
0 0 rp, h1p
1.36 .2 0.6 rcutoff, rloc
END
}

case_abinit() {
	hydrogen_gth >01h.pspgth
	cat >h2.abi <<'END'
acell 10 10 10
ntypat 1
znucl 1
natom 2
typat 1 1
xcart -0.7 0.0 0.0 0.7 0.0 0.0
ecut 10.0
kptopt 0
nkpt 1
nstep 10
toldfe 1.0d-6
diemac 2.0
pseudos "01h.pspgth"
END
	both openmpi abinit_energies abinit h2.abi
}

abinit_energies() {
	grep -E '^ ETOT|etotal|Total energy' "$work/out" h2.abo | rounded
}

case_gpaw() {
	cat >h2.py <<'END'
from ase import Atoms
from gpaw import GPAW
h2 = Atoms('H2', [(0, 0, 0), (0, 0, 0.74)], cell=(4, 4, 4))
h2.center()
h2.calc = GPAW(mode='fd', h=0.25, txt=None)
energy = h2.get_potential_energy()
if h2.calc.wfs.world.rank == 0:
    print('energy %.5f of %d ranks' % (energy, h2.calc.wfs.world.size))
END
	both openmpi said gpaw python h2.py
}

case_meep() {
	cat >guide.ctl <<'END'
(set! geometry-lattice (make lattice (size 8 4 no-size)))
(set! geometry (list (make block (center 0 0) (size infinity 1 infinity)
  (material (make dielectric (epsilon 12))))))
(set! sources (list (make source (src (make continuous-src (frequency 0.15)))
  (component Ez) (center -3 0))))
(set! pml-layers (list (make pml (thickness 1.0))))
(set! resolution 10)
(run-until 40 (at-every 10 (lambda ()
  (print "field " (get-field-point Ez (vector3 1 0)) "\n"))))
END
	both openmpi meep_fields meep guide.ctl
}

meep_fields() {
	grep '^field' "$work/out" | rounded
}

case_mpb() {
	cat >bands.ctl <<'END'
(set! num-bands 4)
(set! k-points (list (vector3 0 0 0) (vector3 0.5 0 0) (vector3 0.5 0.5 0)))
(set! geometry (list (make cylinder (center 0 0 0) (radius 0.2)
  (height infinity) (material (make dielectric (epsilon 12))))))
(set! geometry-lattice (make lattice (size 1 1 no-size)))
(set! resolution 16)
(run-tm)
END
	both openmpi mpb_bands mpb-mpi bands.ctl
}

mpb_bands() {
	grep -h '^tmfreqs' "$work/out" | rounded
}

case_mpgrafic() {
	cp $doc/mpgrafic/examples/Input.stdin input 2>/dev/null
	both openmpi mpgrafic_field sh -c 'exec mpgrafic <input'
}

mpgrafic_field() {
	cksum ./*.dat ./*ic_* 2>/dev/null
}

case_esys() {
	cat >gas.py <<'END'
from esys.lsm import *
from esys.lsm.util import *
sim = LsmMpi(numWorkerProcesses=1, mpiDimList=[1, 1, 1])
sim.initNeighbourSearch(particleType="NRotSphere", gridSpacing=2.5,
    verletDist=0.5)
sim.setNumTimeSteps(200)
sim.setTimeStepSize(0.001)
sim.setSpatialDomain(BoundingBox(Vec3(-20, -20, -20), Vec3(20, 20, 20)))
for n in range(2):
    p = NRotSphere(id=n, posn=Vec3(-5 + 8 * n, 5 - 2 * n, -5), radius=1.0,
        mass=1.0)
    p.setLinearVelocity(Vec3(5 - 10 * n, 0, 0))
    sim.createParticle(p)
sim.run()
for p in sim.getParticleList():
    print(p.getId(), p.getPosn())
sim.exit()
END
	both openmpi said_untimed esysparticle gas.py
}
