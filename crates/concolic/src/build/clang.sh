#!/bin/sh
# Compiles with Clang, and prints the IR of what it compiles beside the object.
"$PLEACH_CLANG" "$@" || exit
object= ; compiles= ; before=
for word; do
    if [ "$before" = -o ]; then object=$word; fi
    if [ "$word" = -c ]; then compiles=yes; fi
    before=$word
done
# Assembly has no IR: what defines a symbol there stays foreign.
case $compiles:$object in
yes:*.o) "$PLEACH_CLANG" "$@" -fno-inline -fno-vectorize -fno-slp-vectorize -S -emit-llvm -o "${object%.o}.ll" 2>/dev/null ;;
esac
exit 0
