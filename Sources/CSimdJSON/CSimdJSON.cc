#include "CSimdJSON.h"
