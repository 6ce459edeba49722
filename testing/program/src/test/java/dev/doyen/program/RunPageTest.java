package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Tests that each row of docs/reference/doyen-run.md names an existing test, and that each test has a row. */
final class RunPageTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\|(?! situation|---)(.*)\\|$");
    private static final Pattern NAME = Pattern.compile("`([a-z0-9]+(?:_[a-z0-9]+)+)`");

    @Test
    void each_row_has_a_test_and_each_test_has_a_row() throws Exception {
        var page = Files.readString(Path.of("..", "..", "docs", "reference", "doyen-run.md"));
        Set<String> named = new TreeSet<>();
        ROW.matcher(page).results().map(MatchResult::group).forEach(row -> {
            var names = NAME.matcher(row).results().map(name -> name.group(1)).toList();
            assertThat(names).as(row).isNotEmpty();
            named.addAll(names);
        });

        assertThat(named).isEqualTo(tests());
    }

    private static Set<String> tests() {
        return Stream.of(RunProcessTest.class.getDeclaredMethods())
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(ParameterizedTest.class))
                .map(method -> method.getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
