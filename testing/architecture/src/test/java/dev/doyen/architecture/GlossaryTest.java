package dev.doyen.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that identifiers use the standard term for each concept.
 *
 * <p>The test splits each identifier of the sources into words, such as {@code leader} and {@code id} for {@code
 * leaderId}. Comments and strings are not checked. Some banned words also have an ordinary meaning, such as an
 * <em>order</em> of keys. Such words are banned in the names of types only, and each exception states its reason.
 */
class GlossaryTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    /** Words that no identifier may contain, and the term to use instead. */
    private static final Map<String, String> BANNED = Map.ofEntries(
            Map.entry("bequest", "transfer"),
            Map.entry("bids", "vote file"),
            Map.entry("buried", "evicted"),
            Map.entry("census", "occupancy"),
            Map.entry("deed", "admin command"),
            Map.entry("depose", "step down"),
            Map.entry("deposed", "step down"),
            Map.entry("deposition", "step-down"),
            Map.entry("dice", "seeded random"),
            Map.entry("drill", "chaos test"),
            Map.entry("fitness", "eligibility"),
            Map.entry("heir", "successor"),
            Map.entry("lap", "round, heartbeat"),
            Map.entry("manners", "takeover policy"),
            Map.entry("onlooker", "observer"),
            Map.entry("reign", "leadership"),
            Map.entry("roaming", "migration"),
            Map.entry("rollcall", "failure detector"),
            Map.entry("roster", "membership"),
            Map.entry("seating", "ring position"),
            Map.entry("stander", "candidate"),
            Map.entry("suitability", "eligibility"),
            Map.entry("tenancy", "leadership, ended term"),
            Map.entry("tenure", "leadership, lease renewal"),
            Map.entry("whims", "seeded random"),
            Map.entry("wish", "admin command"));

    /** Words that are banned in the names of types only. Elsewhere they can have their ordinary meaning. */
    private static final Map<String, String> BANNED_IN_TYPES = Map.ofEntries(
            Map.entry("attendance", "membership, occupancy"),
            Map.entry("beat", "heartbeat"),
            Map.entry("callers", "rate limiter"),
            Map.entry("company", "presence set"),
            Map.entry("desk", "handler, registry"),
            Map.entry("door", "handler"),
            Map.entry("grant", "leader lease"),
            Map.entry("inbox", "input handler"),
            Map.entry("keeper", "registry"),
            Map.entry("keeping", "renewal mode"),
            Map.entry("lane", "outbound queue"),
            Map.entry("look", "snapshot, read"),
            Map.entry("office", "leadership"),
            Map.entry("order", "admin command, unless it is an ordering"),
            Map.entry("pace", "rate limiter"),
            Map.entry("pen", "presence set"),
            Map.entry("picture", "ring visualizer"),
            Map.entry("scene", "snapshot"),
            Map.entry("seat", "ring position, connection"),
            Map.entry("sight", "observed record, snapshot"),
            Map.entry("sighting", "observed record, snapshot"),
            Map.entry("site", "handler"),
            Map.entry("stand", "campaign"),
            Map.entry("standing", "campaigning"),
            Map.entry("turn", "step context"));

    /** Types that may contain a word of {@link #BANNED_IN_TYPES}, with the ordinary meaning of the word. */
    private static final Map<Pattern, String> EXCEPTIONS = Map.of(
            Pattern.compile(".*ZooKeeper.*"), "the name of a product",
            Pattern.compile("StandIn.*"), "a stand-in for another program",
            Pattern.compile("RingOrder|InEachOrder|OrderRules|AdviceOrderTest|StopOrderTest"), "an ordering",
            Pattern.compile("MeteredOrders|OrderPoll.*|OrdersApplication"), "orders of a shop, in examples",
            Pattern.compile("Seat"), "a seat at the table of the game",
            Pattern.compile("Lane"), "a row of a timeline on a page");

    private static final Path PAGE = ROOT.resolve("docs/glossary.md");
    /** The first column of a table in Markdown. */
    private static final Pattern FIRST_COLUMN = Pattern.compile("^\\| ([^|]+) \\|", Pattern.MULTILINE);

    /** String literals and comments. A repeated group would overflow the stack in a long literal. */
    private static final Pattern NOT_CODE = Pattern.compile(
            "\"\"\".*?\"\"\"|" + literal('"', "\n") + "|" + literal('\'', "\n") + "|" + literal('`', "")
                    + "|/\\*.*?\\*/|//[^\n]*",
            Pattern.DOTALL);

    /** Returns the pattern of a literal between two of these quotes. Only an escape repeats the group. */
    private static String literal(char quote, String excluded) {
        String plain = "[^" + quote + "\\\\" + excluded + "]*+";
        return quote + plain + "(?:\\\\." + plain + ")*+" + quote;
    }

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][\\w$]*");
    private static final Pattern TYPE =
            Pattern.compile("\\b(?:class|interface|enum|record|object|type)\\s+([A-Z]\\w*)");
    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

    @Test
    void identifiers_use_the_terms_of_the_glossary() throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        for (Path source : sources()) {
            String where = ROOT.relativize(source).toString();
            for (String fault : faults(Files.readString(source, StandardCharsets.UTF_8))) {
                found.computeIfAbsent(fault, any -> new TreeSet<>()).add(where);
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void a_banned_word_is_found_in_any_identifier_but_not_in_comments_and_strings() {
        assertThat(faults("String heirId = name(); // heir\n/* tenure */ String s = \"heir\";"))
                .containsExactly("heirId: not \"heir\" but \"successor\"");
        assertThat(faults("int MAX_DRILLS = 3;")).containsExactly("MAX_DRILLS: not \"drills\" but \"chaos test\"");
        assertThat(faults("Deeds deeds")).hasSize(2);
        assertThat(faults("wisher.their(wished)")).isEmpty();
    }

    @Test
    void a_word_with_an_ordinary_meaning_is_found_in_names_of_types_only() {
        assertThat(faults("record ClaimDesk(int turn) {}"))
                .containsExactly("ClaimDesk: not \"desk\" but \"handler, registry\"");
        assertThat(faults("class RingOrder {} enum Reorder {}")).isEmpty();
    }

    @Test
    void the_glossary_page_defines_the_term_for_each_banned_word() throws IOException {
        Set<String> defined = new TreeSet<>();
        Matcher row = FIRST_COLUMN.matcher(Files.readString(PAGE, StandardCharsets.UTF_8));
        while (row.find()) {
            defined.addAll(List.of(row.group(1).split(", ", -1)));
        }
        assertThat(defined)
                .as("terms in " + PAGE)
                .containsAll(BANNED.values().stream()
                        .map(terms -> terms.split(", ", -1)[0])
                        .toList());
        assertThat(defined).as("banned words in " + PAGE).doesNotContainAnyElementsOf(BANNED.keySet());
    }

    private static List<String> faults(String source) {
        String code = NOT_CODE.matcher(source).replaceAll(" ");
        Set<String> faults = new TreeSet<>();
        check(IDENTIFIER.matcher(code), 0, BANNED, faults);
        check(TYPE.matcher(code), 1, BANNED_IN_TYPES, faults);
        return new ArrayList<>(faults);
    }

    private static void check(Matcher names, int group, Map<String, String> banned, Set<String> faults) {
        while (names.find()) {
            String name = names.group(group);
            Matcher word = WORD.matcher(name);
            while (word.find()) {
                String lower = word.group().toLowerCase(Locale.ROOT);
                String singular = lower.endsWith("s") ? lower.substring(0, lower.length() - 1) : lower;
                String term = banned.containsKey(lower) ? banned.get(lower) : banned.get(singular);
                if (term != null && !isException(name)) {
                    faults.add(name + ": not \"" + lower + "\" but \"" + term + "\"");
                }
            }
        }
    }

    private static boolean isException(String name) {
        return EXCEPTIONS.keySet().stream()
                .anyMatch(pattern -> pattern.matcher(name).matches());
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().matches(".*\\.(java|kt|ts|tsx|js|mjs|lua|py|go)"))
                    .filter(file ->
                            !ROOT.relativize(file).toString().matches("(.*/)?(node_modules|target|dist|\\.git)/.*"))
                    .filter(file -> !file.endsWith("GlossaryTest.java"))
                    .sorted()
                    .toList();
        }
    }
}
