package dev.doyen.demo.quorum.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.demo.quorum.Action;
import dev.doyen.jvms.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Sends actions to a demonstration as a visitor of the page would, and reads the state of the page. */
final class PageVisitor {

    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final QuorumDemo demo;

    PageVisitor(QuorumDemo demo) {
        this.demo = demo;
    }

    /** Carries out the action and returns the sentence that describes it. */
    String act(Action action, int member) throws Exception {
        return demo.carryOut(action, member).get(BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    JsonNode state() {
        var shown = new CompletableFuture<String>();
        demo.look(json -> shown.complete(json.apply(dev.doyen.elector.http.Audience.LOOPBACK)));
        try {
            return JSON.readTree(
                    shown.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the state of the page matches, and returns that state. */
    JsonNode until(String what, Predicate<JsonNode> holds) {
        var found = new @Nullable JsonNode[1];
        try {
            new Patience(BOUND).await(what, () -> {
                found[0] = state();
                return holds.test(found[0]);
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; the page shows " + found[0], e);
        }
        JsonNode state = found[0];
        if (state == null) {
            throw new AssertionError("no state was read");
        }
        return state;
    }

    /** Waits until a member leads in a later term and has counted beyond this number. */
    JsonNode untilCountsBeyond(long count, long term) {
        return until(
                "a count beyond " + count + " in a term after " + term,
                state -> count(state) > count && state.at("/leader/term").asLong() > term);
    }

    static long count(JsonNode state) {
        return state.path("count").asLong();
    }

    static int leader(JsonNode state) {
        return state.at("/leader/member").asInt();
    }

    static long term(JsonNode state) {
        return state.at("/leader/term").asLong();
    }

    static JsonNode member(JsonNode state, int number) {
        for (JsonNode each : state.path("members")) {
            if (each.path("number").asInt() == number) {
                return each;
            }
        }
        throw new AssertionError("there is no member " + number + " in " + state);
    }
}
