package dev.doyen.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks pages and sources for stale examples, dead links, unfinished work and very long files.
 *
 * <p>An example on a page must be the text of a file that a test runs.
 */
class TidyTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern EXAMPLE = Pattern.compile(
            "<!-- ((?:examples|lease/testkit/src/test|(?:clients|integrations)/[\\w-]+/src/test)/\\S+) -->\n```\\w*\n(.*?)```",
            Pattern.DOTALL);
    /** The sources of programs that run in a browser. */
    private static final Pattern PAGES = Pattern.compile("^(?:examples|elector/console-page/src)/(?!.*(?:^|/)test/)");
    /** A key of the hub as a text in quotes, or the option {@code key} of a client. */
    private static final Pattern KEY = Pattern.compile("([\"'])[\\w-]+\\.[\\w-]+:(?![0-9]{1,5}\\1)[\\w.~-]+\\1"
            + "|(?:Swarm|Realtime|hubOptions|openSwarm)\\([^;)]{0,200}?[{,]\\s*key\\s*[:,}]");

    private static final Pattern LINK = Pattern.compile("(?:\\]\\(|(?:src|srcset|href)=\")([^)\"#\\s]+)");
    private static final Pattern HEADING = Pattern.compile("^# .+", Pattern.MULTILINE);
    private static final Pattern REASON_FOR_LENGTH = Pattern.compile("(?i)\\blong,? because\\b|\\blonger than most\\b");
    private static final Pattern LEFT = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

    @Test
    void examples_in_the_pages_are_the_files_that_the_tests_run() throws IOException {
        int found = 0;
        for (Path page : pages()) {
            Matcher example = EXAMPLE.matcher(read(page));
            while (example.find()) {
                found++;
                assertThat(example.group(2))
                        .as(page + ": " + example.group(1))
                        .isEqualTo(read(ROOT.resolve(example.group(1))));
            }
        }
        assertThat(found).as("number of examples in the pages").isGreaterThanOrEqualTo(2);
    }

    @Test
    void pages_and_examples_in_a_browser_contain_no_key() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : files(".html", ".ts", ".tsx", ".js", ".mjs", ".vue", ".svelte", ".md")) {
            String name = ROOT.relativize(source).toString();
            if (PAGES.matcher(name).find() || name.endsWith(".md")) {
                KEY.matcher(read(source))
                        .results()
                        .forEach(key -> found.add(name + ": " + key.group().replaceAll("\\s+", " ")));
            }
        }
        assertThat(found)
                .as("keys in pages; a page gets a token from authUrl, as docs/reference/hub-auth.md describes")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "new Swarm(\"orders\", { key: \"my.key:secret\" })",
                "const options = { port: 8000, key: 'my.key:s' };",
                "new TabSwarm(\"orders\", {\n  key,\n  port: 8000,\n})",
                "new Ably.Realtime({ key: process.env.KEY })",
                "hubOptions({key, clientId})"
            })
    void a_key_in_a_page_is_found(String page) {
        assertThat(KEY.matcher(page).find()).isTrue();
    }

    @Test
    void links_between_the_pages_resolve() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            Matcher link = LINK.matcher(read(page).replaceAll("(?s)```.*?```", ""));
            while (link.find()) {
                String target = link.group(1);
                if (!target.contains(":") && !Files.exists(page.resolveSibling(target))) {
                    dead.add(ROOT.relativize(page) + " -> " + target);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void a_page_has_one_title() throws IOException {
        for (Path page : pages()) {
            String prose = read(page).replaceAll("(?s)```.*?```", "");
            assertThat(HEADING.matcher(prose).results().count())
                    .as(page.toString())
                    .isEqualTo(1);
        }
    }

    @Test
    void the_sources_contain_no_todo() throws IOException {
        List<String> left = new ArrayList<>();
        for (Path source : files(".java", ".ts", ".css", ".html", ".js", ".md")) {
            if (LEFT.matcher(read(source)).find()) {
                left.add(ROOT.relativize(source).toString());
            }
        }
        assertThat(left).isEmpty();
    }

    @Test
    void a_source_file_over_400_lines_contains_a_reason() throws IOException {
        List<String> silent = new ArrayList<>();
        for (Path source : files(".java", ".ts")) {
            String text = read(source);
            if (text.lines().count() > 400 && !REASON_FOR_LENGTH.matcher(text).find()) {
                silent.add(ROOT.relativize(source) + ": " + text.lines().count() + " lines");
            }
        }
        assertThat(silent).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        return files(".md");
    }

    private static List<Path> files(String... endings) throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(Files::isRegularFile)
                    .filter(file ->
                            !ROOT.relativize(file).toString().matches("(.*/)?(node_modules|target|dist|\\.git)/.*"))
                    .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                    .sorted()
                    .toList();
        }
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
