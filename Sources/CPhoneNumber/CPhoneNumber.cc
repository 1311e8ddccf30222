#include "CPhoneNumber.h"

#include <cstdio>
#include <set>
#include <string>

#include <phonenumbers/phonenumber.pb.h>
#include <phonenumbers/phonenumberutil.h>
#include <phonenumbers/shortnumberinfo.h>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;
using i18n::phonenumbers::ShortNumberInfo;

bool cphonenumber_read(const char *digits, const char *region, CPhoneNumberResult *result) {
  static const ShortNumberInfo short_numbers;
  const PhoneNumberUtil &plans = *PhoneNumberUtil::GetInstance();
  const std::string in = *region ? region : "ZZ";
  PhoneNumber number;
  if (plans.Parse(digits, in, &number) != PhoneNumberUtil::NO_PARSING_ERROR) return false;
  std::string e164;
  plans.Format(number, PhoneNumberUtil::E164, &e164);
  if (e164.size() >= sizeof result->e164) return false;
  std::snprintf(result->e164, sizeof result->e164, "%s", e164.c_str());
  result->country_code = number.country_code();
  // IsValidNumber asks for the same type and throws it away; both search the number's region.
  const PhoneNumberUtil::PhoneNumberType type = plans.GetNumberType(number);
  result->is_valid = type != PhoneNumberUtil::UNKNOWN;
  result->is_short = short_numbers.IsValidShortNumber(number) ||
                     (*region && short_numbers.IsValidShortNumberForRegion(number, in));
  switch (type) {
  case PhoneNumberUtil::TOLL_FREE:
  case PhoneNumberUtil::PREMIUM_RATE:
  case PhoneNumberUtil::SHARED_COST:
  case PhoneNumberUtil::UAN:
    result->is_service = true;
    break;
  default:
    result->is_service = false;
  }
  return true;
}

bool cphonenumber_knows_region(const char *region) {
  static const std::set<std::string> regions = [] {
    std::set<std::string> all;
    PhoneNumberUtil::GetInstance()->GetSupportedRegions(&all);
    return all;
  }();
  return regions.count(region) != 0;
}
