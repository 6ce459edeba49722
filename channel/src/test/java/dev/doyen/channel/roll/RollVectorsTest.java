package dev.doyen.channel.roll;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The transcripts of docs/spec/vectors/roll, which the TypeScript machine writes and reproduces too, step by step. */
class RollVectorsTest {

    private static final Path FOLDER = Path.of("..", "docs", "spec", "vectors", "roll");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MILLI = 1_000_000;

    /** An origin near the end of the counter: moments must be compared by subtraction only. */
    private static final long ORIGIN = Long.MAX_VALUE - 1_234_567_891L;

    static Stream<Path> vectors() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void they_are_all_there() {
        assertThat(vectors()).hasSizeGreaterThanOrEqualTo(16);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void each_is_reproduced_step_by_step(Path file) throws IOException {
        for (long origin : new long[] {0, ORIGIN}) {
            replay(file, origin);
        }
    }

    static void replay(Path file, long origin) throws IOException {
        JsonNode vector = JSON.readTree(file.toFile());
        RollState state = RollState.begin(
                member(vector.get("me")),
                Duration.ofMillis(vector.get("sayMillis").asLong()));
        int number = 0;
        for (JsonNode expected : vector.get("steps")) {
            long now = origin + expected.get("at").asLong() * MILLI;
            RollCall.Step step = RollCall.step(state, now, input(expected.get("input"), origin));
            state = step.next();
            ObjectNode actual = ((ObjectNode) expected).deepCopy();
            var effects = actual.putArray("effects");
            step.effects().forEach(effect -> effects.add(effect(effect, origin)));
            step.wakeAtNanos()
                    .ifPresentOrElse(at -> actual.put("wakeAt", (at - origin) / MILLI), () -> actual.putNull("wakeAt"));
            assertThat(List.of(actual.toString()))
                    .as("%s, step %d", file.getFileName(), ++number)
                    .containsExactly(expected.toString());
        }
    }

    private static Consumer<RollCall> input(JsonNode json, long origin) {
        String type = json.get("type").asText();
        return switch (type) {
            case "connected" -> RollCall::connected;
            case "disconnected" -> RollCall::disconnected;
            case "syncStarted" -> RollCall::syncStarted;
            case "syncComplete" -> {
                var entries = new ArrayList<Entry>();
                json.get("entries").forEach(one -> entries.add(entry(one)));
                yield call -> call.syncComplete(entries);
            }
            case "present" -> call -> call.present(entry(json.get("entry")));
            case "gone" ->
                call -> call.gone(json.get("key").asText(), json.get("since").asLong());
            case "heard" -> {
                var silent = new ArrayList<String>();
                json.get("silent").forEach(one -> silent.add(one.asText()));
                JsonNode at = json.get("at");
                OptionalLong said = at.isNull() ? OptionalLong.empty() : OptionalLong.of(origin + at.asLong() * MILLI);
                yield call -> call.heard(member(json.get("from")), viewId(json.get("view")), silent, said);
            }
            case "tick" -> RollCall::tick;
            default -> throw new AssertionError("unknown input " + type);
        };
    }

    private static ObjectNode effect(RollCall.Effect effect, long origin) {
        ObjectNode json = JSON.createObjectNode();
        if (effect instanceof RollCall.Install install) {
            View view = install.view();
            json.put("type", "install");
            ObjectNode installed = json.putObject("view");
            installed.set("id", viewId(view.id()));
            var members = installed.putArray("members");
            view.members()
                    .forEach(member ->
                            members.addObject().put("id", member.id()).put("incarnation", member.incarnation()));
        } else {
            var say = (RollCall.Say) effect;
            json.put("type", "say").set("view", viewId(say.view()));
            var silent = json.putArray("silent");
            say.silent().forEach(silent::add);
            json.put("at", (say.atNanos() - origin) / MILLI);
        }
        return json;
    }

    private static Entry entry(JsonNode json) {
        JsonNode member = json.get("member");
        return new Entry(
                json.get("key").asText(),
                member.isNull() ? Optional.empty() : Optional.of(member(member)),
                json.get("since").asLong());
    }

    private static Member member(JsonNode json) {
        return new Member(json.get("id").asText(), json.get("incarnation").asText());
    }

    private static Optional<ViewId> viewId(JsonNode json) {
        return json.isNull()
                ? Optional.empty()
                : Optional.of(new ViewId(
                        json.get("number").asLong(), json.get("creator").asText()));
    }

    private static ObjectNode viewId(ViewId id) {
        return JSON.createObjectNode().put("number", id.number()).put("creator", id.creator());
    }
}
