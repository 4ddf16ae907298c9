int assayLabStandIn(void); __attribute__((visibility("default"))) int assayLabStandIn(void) { return 1; }
