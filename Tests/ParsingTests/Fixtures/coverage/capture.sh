#!/bin/sh
# Builds the packages beside this script with the swift on PATH and writes what its tools say about them to
# swift-VERSION/, with /src/ in place of the folder they were built in. Needs no arguments; takes about a minute.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$(dirname "$(readlink -f "$(command -v swift)")")
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
out=$here/swift-$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

build() { # PACKAGE
  mkdir -p "$work/$1"
  cp -R "$here/packages/$1/." "$work/$1"
  find "$work/$1" -name '*.txt' | while read -r file; do mv "$file" "${file%.txt}"; done
  (cd "$work/$1" && swift build --quiet --build-tests --enable-code-coverage)
  (cd "$work/$1" && swift package describe --type json) | sed "s|$work/$1|/src|g" >"$out/$1-describe.json"
}

# Runs the test binary and exports the coverage of the run.
export_run() { # PACKAGE CASE SELECTORS EXPORT-OPTIONS…
  package=$1 case=$2 selectors=$3
  shift 3
  binary=$work/$package/.build/debug/${package}PackageTests.xctest
  rm -f "$work"/*.profraw
  LLVM_PROFILE_FILE="$work/%m.%p.profraw" "$binary" $selectors >/dev/null 2>&1 || true
  if [ -z "$selectors" ]; then
    LLVM_PROFILE_FILE="$work/%m.%p.profraw" "$binary" --testing-library swift-testing >/dev/null 2>&1 || true
  fi
  "$tools/llvm-profdata" merge -sparse "$work"/*.profraw -o "$work/$case.profdata"
  set -- -instr-profile "$work/$case.profdata" -ignore-filename-regex '/\.build/' "$@" "$binary"
  "$tools/llvm-cov" export "$@" | sed "s|$work/$package|/src|g" >"$out/$case.json"
  "$tools/llvm-cov" export -format=lcov "$@" | sed "s|$work/$package|/src|g" >"$out/$case.lcov"
}

"$tools/clang" -O1 "$here/../../../../Sources/Integrating/Measuring/Embedded/CxxNames.c" -o "$work/cxx-names" -ldl

demangle() { # CASE: what the demanglers say about every symbol of the export, symbol and name in turn
  sed 's/"name":/\n&/g' "$out/$1.json" | sed -n 's/^"name":"\([^"]*\)".*/\1/p' | sed 's/^[^$].*[:;]//' | sort -u \
    >"$work/symbols"
  grep -v '^_Z' "$work/symbols" >"$work/of-swift"
  "$tools/swift-demangle" --simplified <"$work/of-swift" | paste -d '\n' "$work/of-swift" - >"$out/$1-demangled.txt"
  grep '^_Z' "$work/symbols" >"$work/of-cxx" || return 0
  "$work/cxx-names" <"$work/of-cxx" | paste -d '\n' "$work/of-cxx" - >>"$out/$1-demangled.txt"
}

build CodeCoverage
tests=CodeCoverageTests
cp "$work/CodeCoverage/.build/debug/description.json" "$work/description.json"
sed "s|$work/CodeCoverage|/src|g; s|$tools|/usr/bin|g" "$work/description.json" >"$out/description.json"
export_run CodeCoverage maximum-zero $tests.MaximumTests/test_zero -skip-functions
export_run CodeCoverage maximum-1-2 $tests.MaximumTests/test_max_withoutAssertion -skip-functions
export_run CodeCoverage maximum-both \
  $tests.MaximumTests/test_max_with1And2,$tests.MaximumTests/test_max_with3And2 -skip-functions
export_run CodeCoverage loop-2-4 $tests.LoopTests/test_commaSeparated_from2to4 -skip-functions
export_run CodeCoverage loop-all $tests.LoopTests -skip-functions
export_run CodeCoverage area $tests.AreaTests
demangle area
for package in Conditionals Greeter CookieFactory Oddities Headers; do
  build $package
  export_run $package $package ""
  demangle $package
done

# The coverage mapping of a test program, one process's counters as they are, and what llvm-cov makes of the two.
mapping() { # PACKAGE
  (cd "$work/$1" && swift build --quiet --scratch-path "$work/mapped-$1" --build-tests --enable-code-coverage \
    -Xswiftc -coverage-prefix-map -Xswiftc "$work=/build" -Xcc "-fcoverage-prefix-map=$work=/build")
  binary=$work/mapped-$1/debug/${1}PackageTests.xctest
  LLVM_PROFILE_FILE="$out/$1.profraw" "$binary" >/dev/null 2>&1 || true
  "$tools/llvm-profdata" merge -sparse "$out/$1.profraw" -o "$work/mapped.profdata"
  "$tools/llvm-cov" export -instr-profile "$work/mapped.profdata" "$binary" >"$out/$1-mapping.json"
  objcopy --only-section=__llvm_covmap --only-section=__llvm_covfun --only-section=__llvm_prf_names "$binary" "$out/$1-mapping.elf" 2>/dev/null
  chmod -x "$out/$1-mapping.elf"
}
for package in Conditionals Headers; do mapping $package; done

# What llvm-profdata says about profiles that it cannot read; run where they lie, so that no folder is in the text.
cd "$work"
mv "$(ls ./*.profraw | head -n 1)" good.profraw
head -c 500 good.profraw >truncated.profraw
: >empty.profraw
echo "not a profile" >"Swift Testing: odd.profraw"
"$tools/llvm-profdata" merge -sparse --failure-mode=all good.profraw truncated.profraw empty.profraw \
  "Swift Testing: odd.profraw" -o merged.profdata 2>"$out/profdata-warnings.txt"
