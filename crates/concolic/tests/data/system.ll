; What is asked of the system, in few lines.
@path = constant [5 x i8] c"/a/b\00"
@folder = constant [3 x i8] c"/a\00"
@new = constant [5 x i8] c"/a/n\00"
@name = constant [5 x i8] c"HOME\00"
@environ = external global ptr
@start = constant ptr @initialize, section ".init_array.00099", align 8
@begun = internal global i64 0

define internal void @initialize(i32 %c, ptr %v, ptr %e) {
  %n = sext i32 %c to i64
  store i64 %n, ptr @begun
  ret void
}

define internal void @last(ptr %x) {
  %v = load i64, ptr %x
  store i64 %v, ptr @begun
  ret void
}

define i32 @main(i32 %0, ptr %1) {
start:
  %b = alloca [200 x i8], align 16
  %t = alloca { i64, i64 }
  %k = alloca i32
  %fd = call i32 (ptr, i32, ...) @open64(ptr @path, i32 0, i32 438)
  %n = call i64 @read(i32 %fd, ptr %b, i64 200)
  %s = call i64 @lseek64(i32 %fd, i64 -2, i32 2)
  %m = call i64 @read(i32 %fd, ptr %b, i64 200)
  %st = call i32 @fstat64(i32 %fd, ptr %b)
  %cl = call i32 @close(i32 %fd)
  %w = call i32 (ptr, i32, ...) @open64(ptr @new, i32 577, i32 438)
  %x = call i64 @write(i32 %w, ptr %b, i64 10)
  %dir = call ptr @opendir(ptr @folder)
  %e1 = call ptr @readdir64(ptr %dir)
  %e2 = call ptr @readdir64(ptr %dir)
  %e3 = call ptr @readdir64(ptr %dir)
  %cd = call i32 @closedir(ptr %dir)
  %mv = call i32 @rename(ptr @new, ptr @path)
  %un = call i32 @unlink(ptr @path)
  %no = call i32 @unlink(ptr @path)
  %er = call ptr @__errno_location()
  %en = load i32, ptr %er
  %ti = call i32 @clock_gettime(i32 1, ptr %t)
  %ra = call i64 @getrandom(ptr %b, i64 16, i32 0)
  %ho = call ptr @getenv(ptr @name)
  %ke = call i32 @pthread_key_create(ptr %k, ptr @last)
  %kv = load i32, ptr %k
  %ks = call i32 @pthread_setspecific(i32 %kv, ptr @begun)
  %at = call i32 @__cxa_thread_atexit_impl(ptr @last, ptr @begun, ptr null)
  %re = call ptr @realloc(ptr null, i64 10)
  %rf = call ptr @realloc(ptr %re, i64 100)
  %len = call i64 @strlen(ptr @path)
  %out = call i64 @write(i32 1, ptr @path, i64 %len)
  call void @free(ptr %rf)
  %root = call double @cbrt(double 8.000000e+00)
  %two = fptosi double %root to i32
  %is = icmp eq i32 %en, %two
  %not = xor i1 %is, true
  %status = zext i1 %not to i32
  call void @exit(i32 %status)
  unreachable
}

declare i32 @open64(ptr, i32, ...)
declare i64 @read(i32, ptr, i64)
declare i64 @write(i32, ptr, i64)
declare i64 @lseek64(i32, i64, i32)
declare i32 @fstat64(i32, ptr)
declare i32 @close(i32)
declare ptr @opendir(ptr)
declare ptr @readdir64(ptr)
declare i32 @closedir(ptr)
declare i32 @rename(ptr, ptr)
declare i32 @unlink(ptr)
declare ptr @__errno_location()
declare i32 @clock_gettime(i32, ptr)
declare i64 @getrandom(ptr, i64, i32)
declare ptr @getenv(ptr)
declare i32 @pthread_key_create(ptr, ptr)
declare i32 @pthread_setspecific(i32, ptr)
declare i32 @__cxa_thread_atexit_impl(ptr, ptr, ptr)
declare ptr @realloc(ptr, i64)
declare i64 @strlen(ptr)
declare void @free(ptr)
declare double @cbrt(double)
declare void @exit(i32)
