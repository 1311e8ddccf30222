#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What libphonenumber knows of a number.
typedef struct {
  /// `+`, country code and national significant number, ended by zero; also of a number that is not valid.
  char e164[40];
  int country_code;
  /// Valid in some number plan.
  bool is_valid;
  /// A short number (emergency, service) of the region or of the number's country.
  bool is_short;
} CPhoneNumberResult;

/// Reads ASCII digits with an optional `+`; `region` is two capital letters, or empty for none. False if it is no number at all.
bool cphonenumber_read(const char *digits, const char *region, CPhoneNumberResult *result);

/// Whether a valid number is of a kind that companies advertise: toll-free, premium, shared cost, universal access.
bool cphonenumber_is_service(const char *e164);

/// Whether the number plans of libphonenumber hold the region.
bool cphonenumber_knows_region(const char *region);

#ifdef __cplusplus
}
#endif
