# hullbench as a Nix package: `nix-build packaging` makes ./result/bin/hullbench. Figures need gnuplot in PATH.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "hullbench";
  version = "1.1.0";
  src = pkgs.lib.cleanSource ./..;
  nativeBuildInputs = [ pkgs.pkg-config ];
  buildInputs = [
    pkgs.cjson
    pkgs.gsl
    pkgs.libarchive
    pkgs.libmd
    pkgs.md4c
    pkgs.zlib
  ];
  enableParallelBuilding = true;
  # Without a name for dlopen, libarchive is linked; a library is only found by the folder in the program.
  makeFlags = [ "PREFIX=$(out)" "ARCHIVE_SONAME=" ];
  meta = {
    description = "Benchmark for support vector machine and nearest-point solvers";
    license = pkgs.lib.licenses.gpl3Plus;
    mainProgram = "hullbench";
    platforms = pkgs.lib.platforms.linux;
  };
}
