#include "catalog/table.hpp"

#include <gmock/gmock.h>

#include "catalog/checks.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSound =
    "about: one fruit a row\nsource: https://example.org\ndate: 2025-10\ncolumns: [color, taste]\n"
    "rows:\n  apple: {color: red, taste: sour}\n  \"13\": {color: none, taste: none}\n";

std::string refusal(const std::string& yaml) {
  const auto table = catalog::parse_table("fruits", yaml, "fruits.yaml");
  return table ? "read" : table.error().message();
}

TEST(Table, RowsAreFoundByTheirKeys) {
  const auto table = catalog::parse_table("fruits", kSound, "fruits.yaml");
  ASSERT_TRUE(table);
  ASSERT_NE(table->row("apple"), nullptr);
  EXPECT_EQ(table->row("apple")->at("color"), "red");
  EXPECT_NE(table->row("13"), nullptr);
  EXPECT_EQ(table->row("pear"), nullptr);
}

TEST(Table, IsRefusedWithoutASourceOrWithOtherColumns) {
  std::string yaml = kSound;
  EXPECT_THAT(refusal(yaml.substr(yaml.find("date"))), HasSubstr("\"about\""));
  EXPECT_THAT(refusal(std::string(kSound) + "  pear: {color: green}\n"), HasSubstr("\"taste\""));
  EXPECT_THAT(refusal(std::string(kSound) + "  pear: {color: green, taste: sweet, size: big}\n"), HasSubstr("size"));
  EXPECT_THAT(refusal(std::string(kSound) + "  pear: green\n"), HasSubstr("a mapping"));
  EXPECT_THAT(refusal("rows: [1"), HasSubstr("YAML"));
}

TEST(Table, AChecksTableMustBeThere) {
  TemporaryFolder data;
  data.write("checks/security/a.yaml",
             "title: t\nitem: security.a\nphase: audit\nseverity: low\nprivilege: none\nscope: host\nexpected: e\n"
             "why: w\nfix: f\nreferences: [https://example.org]\ntables: [fruits]\n");
  EXPECT_FALSE(catalog::load_checks(data.path() / "checks"));
  data.write("tables/fruits.yaml", kSound);
  const auto checks = catalog::load_checks(data.path() / "checks");
  ASSERT_TRUE(checks);
  EXPECT_NE(checks->front().tables.at("fruits")->row("apple"), nullptr);
}

}  // namespace
}  // namespace assay::testing
