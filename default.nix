# hullbench as a Nix package: `nix-build` in this folder makes ./result/bin/hullbench. Figures need gnuplot in PATH.
{ pkgs ? import <nixpkgs> { } }:

let
  # nixpkgs does not have libcsv.
  libcsv = pkgs.stdenv.mkDerivation {
    pname = "libcsv";
    version = "3.0.3";
    src = pkgs.fetchurl {
      url = "mirror://sourceforge/libcsv/libcsv/libcsv-3.0.3/libcsv-3.0.3.tar.gz";
      sha256 = "1r6pxdxrc3vfil1f9ng1dblm82asdqz6hkz7dj4vkkh3p0f47h6r";
    };
  };
in
pkgs.stdenv.mkDerivation {
  pname = "hullbench";
  version = "1.0.0";
  src = pkgs.lib.cleanSource ./.;
  nativeBuildInputs = [ pkgs.pkg-config ];
  buildInputs = [
    pkgs.bzip2
    pkgs.cjson
    pkgs.gsl
    pkgs.libarchive
    libcsv
    pkgs.libmd
    pkgs.matio
    pkgs.md4c
    pkgs.xz
    pkgs.zlib
  ];
  enableParallelBuilding = true;
  # Without names for dlopen, matio and libarchive are linked; a library is only found by the folder in the program.
  makeFlags = [ "PREFIX=$(out)" "MATIO_SONAME=" "ARCHIVE_SONAME=" ];
  meta = {
    description = "Benchmark for support vector machine and nearest-point solvers";
    license = pkgs.lib.licenses.gpl3Plus;
    mainProgram = "hullbench";
    platforms = pkgs.lib.platforms.linux;
  };
}
