#import <Cocoa/Cocoa.h>
#define L(x) NSLocalizedString(x, \
  nil)
// NSLocalizedString(@"no", @"")
static NSString *a(void) {
#if 0
  return NSLocalizedString(@"dead", @"x");
#endif
  NSString *s = NSLocalizedStringWithDefaultValue(@"key", @"Table", [NSBundle mainBundle], @"value \"q\" \U0001F600", @"a " @"comment");
  return [NSString stringWithFormat:NSLocalizedStringFromTable(@"%d of %@", @"T", /* c */ @"counts"), 3, L(@"in")];
}
CFStringRef b(void) { return CFCopyLocalizedString(CFSTR("cf"), "note"); }
const char *raw = R"x(NSLocalizedString(@"no")x";
