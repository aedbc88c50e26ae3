/*
 * What the sanitizers of a SANITIZE build are told; linked into each of its
 * programs, since a web server and the job runner empty the environment.
 * ASAN_OPTIONS and UBSAN_OPTIONS still come last.
 *
 * A report goes to a file in SANITIZE_REPORTS, where `make check-sanitize` looks:
 * nobody sees the standard error of a CGI program. The process ends by SIGABRT, so
 * that its test fails, too.
 *
 * Off are: leaks, since a program that answers once, and a command, end without
 * freeing anything (base/arena.h); strict_string_checks, which walks to the end of a
 * string at each call, and makes parsers of long texts quadratic; the order of
 * libraries, since some tests preload one of their own. An allocation that cannot be
 * had returns NULL, as everywhere.
 */
#define ASAN                                                                                       \
	"log_path=" SANITIZE_REPORTS "/report:abort_on_error=1:detect_leaks=0:"                    \
	"detect_stack_use_after_return=1:verify_asan_link_order=0:"                                \
	"check_initialization_order=1:strict_init_order=1:"                                        \
	"detect_invalid_pointer_pairs=2:quarantine_size_mb=16:"                                    \
	"allocator_may_return_null=1"
#define UBSAN                                                                                      \
	"log_path=" SANITIZE_REPORTS "/report:abort_on_error=1:"                                   \
	"halt_on_error=1:print_stacktrace=1"

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *
__asan_default_options(void)
{
	return ASAN;
}

const char *
__ubsan_default_options(void)
{
	return UBSAN;
}
