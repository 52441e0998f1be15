; Everything that is read, in few lines.
source_filename = "mixed"
target triple = "x86_64-unknown-linux-gnu"

%Pair = type { i64, %"a b" }
%"a b" = type <{ i8, ptr }>

@word = private unnamed_addr constant [4 x i8] c"ab\00\FF", align 1
@table = internal constant [3 x ptr] [ptr @one, ptr @two, ptr @one], align 8
@state = internal thread_local global <{ [8 x i8], i32 }> <{ [8 x i8] zeroinitializer, i32 -7 }>, align 8
@inside = internal global ptr getelementptr inbounds nuw (i8, ptr @state, i64 8), align 8
@outside = external global i64

define internal fastcc noundef i64 @one(i64 noundef range(i64 0, 9) %x) unnamed_addr #0 !dbg !4 {
  %r = add nuw nsw i64 %x, 1, !dbg !6
  ret i64 %r, !dbg !7
}

define internal fastcc i64 @two(i64 %x) {
start:
  %w = zext i64 %x to i256
  %m = mul nuw i256 %w, 1000
  %h = lshr i256 %m, 3
  %t = trunc i256 %h to i128
  %d = udiv i128 %t, 5
  %s = trunc i128 %d to i64
  ret i64 %s
}

define internal { i64, i1 } @lanes(<4 x i32> %v, double %d) {
start:
  %w = add <4 x i32> %v, <i32 1, i32 2, i32 3, i32 4>
  %c = icmp sgt <4 x i32> %w, splat (i32 3)
  %b = bitcast <4 x i1> %c to i4
  %s = select <4 x i1> %c, <4 x i32> %w, <4 x i32> zeroinitializer
  %t = shufflevector <4 x i32> %s, <4 x i32> poison, <2 x i32> <i32 3, i32 0>
  %e = extractelement <2 x i32> %t, i64 0
  %i = insertelement <2 x i32> %t, i32 5, i64 1
  %q = bitcast <2 x i32> %i to i64
  %f = fptosi double %d to i64
  %g = call i64 @llvm.fptoui.sat.i64.f64(double %d)
  %u = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %q, i64 %f)
  %o = extractvalue { i64, i1 } %u, 1
  %z = zext i4 %b to i64
  %y = xor i64 %z, %g
  %p = insertvalue { i64, i1 } poison, i64 %y, 0
  %r = insertvalue { i64, i1 } %p, i1 %o, 1
  ret { i64, i1 } %r
}

define i32 @main(i32 %count, ptr %arguments) {
start:
  %pair = alloca %Pair, align 8
  %buffer = alloca [16 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %pair)
  %second = getelementptr inbounds %Pair, ptr %pair, i64 0, i32 1, i32 1
  store ptr @word, ptr %second, align 1
  store i64 9, ptr %pair, align 8
  %loaded = load { i64, %"a b" }, ptr %pair, align 8
  %nine = extractvalue { i64, %"a b" } %loaded, 0
  %place = load ptr, ptr @inside, align 8
  %old = atomicrmw sub ptr %place, i32 3 seq_cst, align 4
  %swap = cmpxchg weak ptr %place, i32 -10, i32 4 acquire monotonic, align 4
  %done = extractvalue { i32, i1 } %swap, 1
  br i1 %done, label %loop, label %bad, !prof !3

loop:                                             ; preds = %start, %loop
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %sum = phi i64 [ %nine, %start ], [ %more, %loop ]
  %slot = getelementptr inbounds ptr, ptr @table, i64 %i
  %function = load ptr, ptr %slot, align 8
  %more = call fastcc i64 %function(i64 %sum)
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 3
  br i1 %again, label %loop, label %after

after:
  %got = call i64 @read(i32 0, ptr %buffer, i64 16)
  %vector = load <4 x i32>, ptr %buffer, align 1
  %result = call { i64, i1 } @lanes(<4 x i32> %vector, double 2.500000e+00)
  %bits = extractvalue { i64, i1 } %result, 0
  %sine = call double @llvm.sqrt.f64(double 0x4022000000000000)
  %negative = fneg double %sine
  %order = fcmp olt double %negative, 0.000000e+00
  %small = trunc i64 %bits to i8
  switch i8 %small, label %bad [
    i8 13, label %good
    i8 -1, label %bad
    i8 15, label %good
  ]

good:
  %heap = invoke ptr @malloc(i64 24)
          to label %cont unwind label %clean

cont:
  call void @llvm.memset.p0.i64(ptr %heap, i8 3, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %heap, ptr @word, i64 3, i1 false)
  %same = call i32 @memcmp(ptr %heap, ptr @word, i64 4)
  call void @free(ptr %heap)
  %five = call range(i8 -1, 2) i8 @llvm.ucmp.i8.i64(i64 %sum, i64 3)
  %six = sext i8 %five to i32
  %status = select i1 %order, i32 41, i32 7
  %final = add i32 %status, %six
  ret i32 %final

clean:
  %pad = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %pad

bad:
  call void @abort()
  unreachable
}

declare i64 @read(i32, ptr, i64)
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @abort()
declare i32 @memcmp(ptr, ptr, i64)
declare double @llvm.sqrt.f64(double)
declare i64 @llvm.fptoui.sat.i64.f64(double)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare i8 @llvm.ucmp.i8.i64(i64, i64)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

attributes #0 = { nounwind }

!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !2)
!2 = !DIFile(filename: "src/mixed.rs", directory: "/home")
!3 = !{!"branch_weights", i32 1, i32 2}
!4 = distinct !DISubprogram(name: "one", linkageName: "_ZN5mixed3one17h0123456789abcdefE", scope: !1, file: !2, line: 3, unit: !1)
!5 = distinct !DILexicalBlock(scope: !4, file: !2, line: 4, column: 1)
!6 = !DILocation(line: 5, column: 9, scope: !5, inlinedAt: !7)
!7 = !DILocation(line: 6, column: 1, scope: !4)
