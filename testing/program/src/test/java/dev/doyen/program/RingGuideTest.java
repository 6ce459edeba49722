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
 * Runs the commands of docs/guide/ring.md, and {@code doyen ring} with the settings file of docs/reference/cli.md.
 *
 * <p>The tests replace the ports and addresses of the pages. Some tests also add options, such as an id, or pass the
 * options through the environment.
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
    private static final Pattern API_PORT = Pattern.compile("API is on port ([0-9]+), probes");

    private static final Pattern LEADER = Pattern.compile("\"leader\":\\{\"id\":\"([abc])\",\"term\":([0-9]+)");
    private static final int MAX_ATTEMPTS = 5;

    private final HttpClient http = HttpClient.newHttpClient();
    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);
    private static final String ADMIN_KEY = "the-admin-key-of-the-test";

    private final Map<String, RunningDoyen> running = new LinkedHashMap<>();
    private final Map<String, String> members = new LinkedHashMap<>();
    private List<String> blocks = List.of();

    @TempDir
    Path directory;

    @BeforeEach
    void read() throws IOException {
        var page = Files.readString(Path.of("..", "..", "docs", "guide", "ring.md"));
        // A block that starts with the name of a language is not a block of commands.
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
    void three_processes_report_one_leader_and_its_successor() throws Exception {
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
                .isEqualTo(block("{\"type\"").strip().replace("command to \\\"a", "command to \\\"" + leader));

        running.get(leader).killHard();
        int killed = ports.get("abc".indexOf(leader));
        ports.removeIf(port -> port == killed);
        String rest = "abc".replace(leader, "");
        String second = agreed(ports, "[" + rest + "]");
        running.get(second).signal("INT");
        assertThat(running.get(second).awaitExit()).isZero();
        String third = rest.replace(second, "");
        awaitReported(ports.get(rest.indexOf(third)), third);
    }

    @Test
    void the_order_decides_the_next_leader_and_the_leader_stays() throws Exception {
        List<Led> leaders;
        int attempts = 0;
        do {
            leaders = leadersByOrder();
            attempts++;
        } while (leaders.get(2).term() > 3 && attempts < MAX_ATTEMPTS);
        assertThat(leaders).containsExactly(new Led("b", 1), new Led("c", 2), new Led("a", 3));
    }

    /**
     * Ends two leaders, and returns the three leaders. On a busy machine a leader can lose its term before the test
     * ends its process. In this case the last term is greater than 3.
     */
    private List<Led> leadersByOrder() throws Exception {
        for (var each : running.values()) {
            each.close();
        }
        running.clear();
        members.clear();
        var ports = new LinkedHashMap<String, Integer>();
        for (String line : lines("./doyen ring orders --order")) {
            String id = List.of("b", "a", "c").get(ports.size());
            ports.put(id, start(id, line));
            leaderAfter(0, ports);
        }
        assertThat(ports).hasSize(3);
        Led first = leaderAfter(0, ports);
        ports.remove(first.id());
        running.get(first.id()).killHard();
        Led second = leaderAfter(first.term(), ports);
        ports.remove(second.id());
        running.get(second.id()).signal("INT");
        assertThat(running.get(second.id()).awaitExit()).isZero();
        return List.of(first, second, leaderAfter(second.term(), ports));
    }

    @Test
    void a_ring_has_a_secret_from_a_file_and_options_from_flags_or_the_environment() throws Exception {
        String block = block("ring.secret");
        var shell = new ProcessBuilder("sh", "-c", block.lines().findFirst().orElseThrow());
        assertThat(shell.directory(directory.toFile()).start().waitFor()).isZero();
        String line = lines("./doyen ring orders --listen").get(0);
        int first = start("first", line + " --id first --http localhost:4040 --probe-address localhost:4041");
        awaitReported(first, "first");

        var environment = new LinkedHashMap<String, String>();
        String[] arguments = typed(line.replace("--listen 10.0.0.1", "--listen 10.0.0.2"));
        for (int at = 2; at < arguments.length; at += 2) {
            environment.put(
                    "DOYEN_RING_" + arguments[at].substring(2).replace('-', '_').toUpperCase(Locale.ROOT),
                    arguments[at + 1]);
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
    void the_command_line_overrides_the_settings_file() throws Exception {
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
        awaitReported(port, "of-the-file");
        running.get("filed").signal("INT");
        assertThat(running.get("filed").awaitExit()).isZero();
        int other = start("typed", Map.of(), "ring", "orders", "--settings", settings.toString(), "--id", "typed");
        awaitReported(other, "typed");
    }

    @Test
    void an_invalid_settings_file_is_rejected_with_its_line() throws Exception {
        assertThat(refusal("followw: 2s\n"))
                .contains("ring.yaml:1: followw is unknown; there are admin-commands, algorithm, ");
        assertThat(refusal("election-timeout: soon\n")).contains("--election-timeout");
        assertThat(refusal("peers: [localhost:1]\ndns: here\n")).contains("mutually exclusive");
    }

    private String refusal(String text) throws Exception {
        Path settings = Files.writeString(directory.resolve("ring.yaml"), text);
        try (var process = RunningDoyen.start("ring", "orders", "--settings", settings.toString())) {
            assertThat(process.awaitExit()).isEqualTo(1);
            return process.output();
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

    /** Starts the command in a line of the page, and returns the port on which the process reports the leader. */
    private int start(String name, String line) throws Exception {
        return start(name, Map.of(), typed(line));
    }

    private int start(String name, Map<String, String> environment, String... arguments) throws Exception {
        var builder = new ProcessBuilder(RunningDoyen.commandLine(arguments));
        builder.environment().put("DOYEN_ADMIN_KEY", ADMIN_KEY);
        builder.environment().putAll(environment);
        builder.directory(directory.toFile());
        var process = new RunningDoyen(builder);
        running.put(name, process);
        String output = process.awaitOutput("the elector API is on port");
        var port = API_PORT.matcher(output);
        assertThat(port.find()).as(output).isTrue();
        return Integer.parseInt(port.group(1));
    }

    /**
     * Returns the arguments that follow {@code ./doyen} in this line. Free ports of this machine replace the ports of
     * the page.
     */
    private String[] typed(String line) {
        String here = MEMBER.matcher(line).replaceAll(this::member);
        here = HTTP.matcher(here).replaceAll("localhost:0");
        String[] arguments = here.split(" ");
        assertThat(arguments[0]).isEqualTo("./doyen");
        Arrays.stream(arguments)
                .filter(argument -> argument.matches("localhost:[1-9][0-9]*"))
                .forEach(own -> held.release(Integer.parseInt(own.substring(own.indexOf(':') + 1))));
        return Arrays.copyOfRange(arguments, 1, arguments.length);
    }

    private String member(MatchResult named) {
        return members.computeIfAbsent(
                named.group(), each -> "localhost:" + held.take(1).get(0));
    }

    /**
     * Waits until all processes report the same leader, and returns that leader. On a busy machine a candidate other
     * than the first can lead.
     *
     * @param ids a regular expression that matches the possible leaders
     */
    private String agreed(List<Integer> ports, String ids) throws IOException, InterruptedException {
        var names = new HashSet<String>();
        do {
            names.clear();
            for (int port : ports) {
                names.add(awaitReported(port, ids));
            }
        } while (names.size() > 1);
        return names.iterator().next();
    }

    /** Reads the stream of events until it reports a matching leader, and returns that leader's name. */
    private String awaitReported(int port, String leader) throws IOException, InterruptedException {
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
        throw new AssertionError("the stream ended before it named " + leader);
    }

    /** Waits until all processes report the same leader with a greater term, and returns that leader. */
    private Led leaderAfter(long term, Map<String, Integer> ports) throws IOException, InterruptedException {
        var leaders = new HashSet<Led>();
        do {
            leaders.clear();
            for (int port : ports.values()) {
                leaders.add(leaderAfter(term, port));
            }
        } while (leaders.size() > 1
                || !ports.containsKey(leaders.iterator().next().id()));
        return leaders.iterator().next();
    }

    /** Reads the stream of events until it reports a leader with a greater term, and returns that leader. */
    private Led leaderAfter(long term, int port) throws IOException, InterruptedException {
        HttpResponse<java.io.InputStream> stream = http.send(
                HttpRequest.newBuilder(uri(port, "/v1/elections/orders/events")).build(), BodyHandlers.ofInputStream());
        try (var lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                var leader = LEADER.matcher(line);
                if (leader.find() && Long.parseLong(leader.group(2)) > term) {
                    return new Led(leader.group(1), Long.parseLong(leader.group(2)));
                }
            }
        }
        throw new AssertionError("the stream ended before it named a leader after term " + term);
    }

    private String get(int port, String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri(port, path)).build(), BodyHandlers.ofString())
                .body()
                .strip();
    }

    private String post(int port, String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(uri(port, path))
                .header("Authorization", "Bearer " + ADMIN_KEY)
                .POST(BodyPublishers.noBody());
        return http.send(request.build(), BodyHandlers.ofString()).body();
    }

    private static URI uri(int port, String path) {
        return URI.create("http://localhost:" + port + path);
    }

    private static String timeless(String answer) {
        return TERM.matcher(TIME.matcher(answer).replaceAll("\"T\"")).replaceAll("erm\":N");
    }

    /** A leader with its term. */
    private record Led(String id, long term) {}
}
