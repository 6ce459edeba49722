package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.testkit.HeldPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests the commands in docs/guide/ring.md and docs/reference/cli.md by running them. Only the ports and addresses
 * differ.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class RingGuideTest {

    private static final Pattern BLOCK =
            Pattern.compile("^```([a-z]*)\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern EXAMPLE =
            Pattern.compile("<!-- example: ring settings -->\n```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern MEMBER = Pattern.compile("(?:localhost|10\\.0\\.0\\.[0-9]+):78[0-9]{2}");
    private static final Pattern HTTP = Pattern.compile("localhost:40[0-9]{2}");
    private static final Pattern TIME = Pattern.compile("\"20[^\"]*Z\"");
    private static final Pattern TERM = Pattern.compile("erm\":[0-9]+");
    private static final Pattern TOLD = Pattern.compile("API is on port ([0-9]+), probes");

    private final HttpClient http = HttpClient.newHttpClient();
    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);
    private final Map<String, RunningDoyen> running = new LinkedHashMap<>();
    private final Map<String, String> members = new LinkedHashMap<>();
    private List<String> blocks = List.of();

    @TempDir
    Path directory;

    @BeforeEach
    void read() throws IOException {
        var page = Files.readString(Path.of("..", "..", "docs", "guide", "ring.md"));
        // A block in a language starts with its name, and is not a block of commands.
        blocks = BLOCK.matcher(page)
                .results()
                .filter(block -> block.group(1).isEmpty())
                .map(block -> block.group(2))
                .toList();
    }

    @AfterEach
    void end() throws Exception {
        for (var each : running.values()) {
            each.close();
        }
        held.close();
    }

    @Test
    void three_processes_tell_the_same_leader_and_the_next_when_it_dies_or_leaves() throws Exception {
        var ports = new ArrayList<Integer>();
        for (String line : lines("./doyen ring orders --peers")) {
            ports.add(start(List.of("a", "b", "c").get(ports.size()), line));
            agreed(ports, "[abc]");
        }
        assertThat(ports).hasSize(3);
        String leader = agreed(ports, "[abc]");
        List<String> answers = block("$ curl")
                .lines()
                .filter(line -> !line.startsWith("$"))
                .map(answer -> answer.replace("\"a\"", '"' + leader + '"'))
                .toList();
        assertThat(timeless(get(ports.get(2), "/"))).isEqualTo(timeless(answers.get(0)));
        assertThat(timeless(get(ports.get(1), "/v1/elections/orders"))).isEqualTo(timeless(answers.get(1)));
        int follower = ports.get(leader.equals("b") ? 2 : 1);
        assertThat(post(follower, "/v1/elections/orders/resign").strip())
                .isEqualTo(block("{\"type\"").strip().replace("ask \\\"a", "ask \\\"" + leader));

        running.get(leader).killHard();
        int killed = ports.get("abc".indexOf(leader));
        ports.removeIf(port -> port == killed);
        String rest = "abc".replace(leader, "");
        String second = agreed(ports, "[" + rest + "]");
        running.get(second).signal("INT");
        assertThat(running.get(second).awaitExit()).isZero();
        String third = rest.replace(second, "");
        told(ports.get(rest.indexOf(third)), third);
    }

    @Test
    void the_order_says_who_is_next_and_the_leader_stays() throws Exception {
        var ports = new ArrayList<Integer>();
        for (String line : lines("./doyen ring orders --order")) {
            String id = List.of("b", "a", "c").get(ports.size());
            ports.add(start(id, line));
            told(ports.get(ports.size() - 1), "b");
        }
        assertThat(ports).hasSize(3);
        running.get("b").killHard();
        told(ports.get(1), "c");
        told(ports.get(2), "c");
        running.get("c").signal("INT");
        assertThat(running.get("c").awaitExit()).isZero();
        told(ports.get(1), "a");
    }

    @Test
    void with_a_secret_from_a_file_by_flags_and_by_the_environment() throws Exception {
        String block = block("ring.secret");
        var shell = new ProcessBuilder("sh", "-c", block.lines().findFirst().orElseThrow());
        assertThat(shell.directory(directory.toFile()).start().waitFor()).isZero();
        String line = lines("./doyen ring orders --listen").get(0);
        int first = start("first", line + " --id first --http localhost:4040 --probe-address localhost:4041");
        told(first, "first");

        var environment = new LinkedHashMap<String, String>();
        String[] words = typed(line.replace("--listen 10.0.0.1", "--listen 10.0.0.2"));
        for (int at = 2; at < words.length; at += 2) {
            environment.put(
                    "DOYEN_RING_" + words[at].substring(2).replace('-', '_').toUpperCase(Locale.ROOT), words[at + 1]);
        }
        environment.putAll(Map.of(
                "DOYEN_RING_ID",
                "second",
                "DOYEN_RING_HTTP",
                "localhost:0",
                "DOYEN_RING_PROBE_ADDRESS",
                "localhost:0"));
        assertThat(environment).containsKeys("DOYEN_RING_LISTEN", "DOYEN_RING_PEERS", "DOYEN_RING_SECRET_FILE");
        int second = start("second", environment, "ring", "orders");
        agreed(List.of(first, second), "first|second");
    }

    @Test
    void with_a_settings_file_that_the_command_line_overrides() throws Exception {
        var page = Files.readString(Path.of("..", "..", "docs", "reference", "cli.md"));
        var example = EXAMPLE.matcher(page);
        assertThat(example.find()).isTrue();
        String here = MEMBER.matcher(example.group(1)).replaceAll(this::member);
        members.values().forEach(member -> held.release(Integer.parseInt(member.substring(member.indexOf(':') + 1))));
        Files.writeString(directory.resolve("ring.secret"), "a secret of thirty-two characters");
        Path settings = Files.writeString(
                directory.resolve("ring.yaml"),
                here + "id: of-the-file\nhttp: localhost:0\nprobe-address: localhost:0\npriority: 7\n");
        int port = start("filed", Map.of(), "ring", "orders", "--settings", settings.toString());
        told(port, "of-the-file");
        running.get("filed").signal("INT");
        assertThat(running.get("filed").awaitExit()).isZero();
        int other = start("typed", Map.of(), "ring", "orders", "--settings", settings.toString(), "--id", "typed");
        told(other, "typed");
    }

    @Test
    void a_settings_file_that_cannot_be_meant_is_refused_with_its_line() throws Exception {
        assertThat(refusal("followw: 2s\n"))
                .contains("ring.yaml:1: followw is unknown; there are admin-commands, algorithm, ");
        assertThat(refusal("election-timeout: soon\n")).contains("--election-timeout");
        assertThat(refusal("peers: [localhost:1]\ndns: here\n")).contains("mutually exclusive");
    }

    private String refusal(String text) throws Exception {
        Path settings = Files.writeString(directory.resolve("ring.yaml"), text);
        try (var process = RunningDoyen.start("ring", "orders", "--settings", settings.toString())) {
            assertThat(process.awaitExit()).isEqualTo(1);
            return process.everythingSaid();
        }
    }

    /** Returns the block of the page that contains this text. */
    private String block(String part) {
        return blocks.stream().filter(each -> each.contains(part)).findFirst().orElseThrow();
    }

    private List<String> lines(String start) {
        return blocks.stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(start))
                .toList();
    }

    /** Starts the command in a line of the page. Returns the port on which it reports the leader. */
    private int start(String name, String line) throws Exception {
        return start(name, Map.of(), typed(line));
    }

    private int start(String name, Map<String, String> environment, String... words) throws Exception {
        var builder = new ProcessBuilder(RunningDoyen.words(words));
        builder.environment().putAll(environment);
        builder.directory(directory.toFile());
        var process = new RunningDoyen(builder);
        running.put(name, process);
        String said = process.awaitSaying("the elector API is on port");
        var port = TOLD.matcher(said);
        assertThat(port.find()).as(said).isTrue();
        return Integer.parseInt(port.group(1));
    }

    /** Returns the words of a line after {@code ./doyen}, with ports that are free on this machine. */
    private String[] typed(String line) {
        String here = MEMBER.matcher(line).replaceAll(this::member);
        here = HTTP.matcher(here).replaceAll("localhost:0");
        String[] words = here.split(" ");
        assertThat(words[0]).isEqualTo("./doyen");
        Arrays.stream(words)
                .filter(word -> word.matches("localhost:[1-9][0-9]*"))
                .forEach(own -> held.release(Integer.parseInt(own.substring(own.indexOf(':') + 1))));
        return Arrays.copyOfRange(words, 1, words.length);
    }

    private String member(MatchResult named) {
        return members.computeIfAbsent(
                named.group(), each -> "localhost:" + held.take(1).get(0));
    }

    /**
     * Waits until all processes report the same leader of {@code ids}. On a busy machine it may not be the first one.
     */
    private String agreed(List<Integer> ports, String ids) throws IOException, InterruptedException {
        var names = new HashSet<String>();
        do {
            names.clear();
            for (int port : ports) {
                names.add(told(port, ids));
            }
        } while (names.size() > 1);
        return names.iterator().next();
    }

    /** Reads the stream of events until it reports a matching leader. Returns that leader's name. */
    private String told(int port, String leader) throws IOException, InterruptedException {
        var named = Pattern.compile("\"name\":\"(" + leader + ")\"");
        HttpResponse<java.io.InputStream> stream =
                http.send(HttpRequest.newBuilder(uri(port, "/sse")).build(), BodyHandlers.ofInputStream());
        try (var lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                var name = named.matcher(line);
                if (name.find()) {
                    return name.group(1);
                }
            }
        }
        throw new AssertionError("the stream ended without naming " + leader);
    }

    private String get(int port, String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri(port, path)).build(), BodyHandlers.ofString())
                .body()
                .strip();
    }

    private String post(int port, String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(uri(port, path)).POST(BodyPublishers.noBody());
        return http.send(request.build(), BodyHandlers.ofString()).body();
    }

    private static URI uri(int port, String path) {
        return URI.create("http://localhost:" + port + path);
    }

    private static String timeless(String answer) {
        return TERM.matcher(TIME.matcher(answer).replaceAll("\"T\"")).replaceAll("erm\":N");
    }
}
