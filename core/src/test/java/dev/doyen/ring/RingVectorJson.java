package dev.doyen.ring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;

/** The words of a vector's file, as the ring machine takes and gives them. */
final class RingVectorJson {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final long MILLI = 1_000_000;

    private RingVectorJson() {}

    static RingSettings settings(JsonNode json) {
        var timing = new RingTiming(
                millis(json, "followMillis"),
                millis(json, "leadMillis"),
                millis(json, "beatMillis"),
                millis(json, "retryMillis"),
                millis(json, "keepMillis"));
        return new RingSettings(
                RingAlgorithm.valueOf(
                        json.get("algorithm").asText().replace('-', '_').toUpperCase(Locale.ROOT)),
                timing,
                json.get("priority").asInt(),
                json.get("candidate").asBoolean());
    }

    static ObjectNode settings(RingSettings settings) {
        RingTiming timing = settings.timing();
        return JSON.objectNode()
                .put("algorithm", word(settings.algorithm()).replace('_', '-'))
                .put("priority", settings.priority())
                .put("candidate", settings.stands())
                .put("followMillis", timing.follow().toMillis())
                .put("leadMillis", timing.lead().toMillis())
                .put("beatMillis", timing.beat().toMillis())
                .put("retryMillis", timing.retry().toMillis())
                .put("keepMillis", timing.keep().toMillis());
    }

    static Moment moment(JsonNode step, long origin) {
        long at = step.get("at").asLong();
        return new Moment(
                origin + at * MILLI, step.has("wall") ? step.get("wall").asLong() : at);
    }

    static RingInput input(JsonNode json, Moment at) {
        String type = json.get("type").asText();
        return switch (type) {
            case "installed" -> new RingInput.Installed(at, view(json.get("view")));
            case "received" -> new RingInput.Received(at, member(json.get("from")), message(json.get("message")));
            case "woken" -> new RingInput.Woken(at);
            case "resign" -> new RingInput.Resign(at, millis(json, "cooldownMillis"));
            case "handOver" -> new RingInput.HandOver(at, json.get("heir").asText(), millis(json, "cooldownMillis"));
            case "stand" -> new RingInput.Stand(at);
            case "standBack" -> new RingInput.StandBack(at, cause(json.get("cause")));
            case "leave" -> new RingInput.Leave(at);
            default -> throw new AssertionError("unknown input " + type);
        };
    }

    static ObjectNode input(RingInput input) {
        ObjectNode json = JSON.objectNode();
        if (input instanceof RingInput.Installed installed) {
            json.put("type", "installed").set("view", view(installed.view()));
        } else if (input instanceof RingInput.Received received) {
            json.put("type", "received");
            json.set("from", member(received.from()));
            json.set("message", message(received.message()));
        } else if (input instanceof RingInput.Resign resign) {
            json.put("type", "resign").put("cooldownMillis", resign.cooldown().toMillis());
        } else if (input instanceof RingInput.HandOver over) {
            json.put("type", "handOver").put("heir", over.heir());
            json.put("cooldownMillis", over.cooldown().toMillis());
        } else if (input instanceof RingInput.StandBack back) {
            json.put("type", "standBack").put("cause", word(back.cause()));
        } else {
            String name = input.getClass().getSimpleName();
            json.put("type", name.toLowerCase(Locale.ROOT));
        }
        return json;
    }

    /** What the step did, as a vector says it: effects, what the state answers, and when to wake. */
    static void outcome(ObjectNode step, RingStep done, Moment now, long origin) {
        RingState state = done.next();
        ArrayNode effects = step.putArray("effects");
        done.effects().forEach(effect -> effects.add(effect(effect)));
        ObjectNode seen = step.putObject("state");
        seen.set("leading", term(state.leading().orElse(Term.NONE)));
        seen.put("remainingMillis", wholeMillis(state.remainingAt(now).toNanos()));
        seen.set("leader", term(state.leader().orElse(Term.NONE)));
        seen.set("seen", term(state.seen()));
        seen.put("round", state.round());
        seen.put("stands", state.stands(now));
        if (done.wakeAtNanos() == Long.MAX_VALUE) {
            step.putNull("wakeAt");
        } else {
            step.put("wakeAt", wholeMillis(done.wakeAtNanos() - origin));
        }
    }

    static ObjectNode message(RingMessage message) {
        ObjectNode json = JSON.objectNode();
        json.put("kind", message.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        json.set("view", viewId(message.view()));
        if (message instanceof RingMessage.OfRound ofRound) {
            json.put("round", ofRound.round());
        }
        if (message instanceof RingMessage.Elect elect) {
            json.set("key", key(elect.key()));
            json.put("attempt", elect.attempt());
            json.set("seen", term(elect.seen()));
        } else if (message instanceof RingMessage.Compare compare) {
            json.put("phase", compare.phase()).put("second", compare.second());
            json.set("key", key(compare.key()));
            json.set("seen", term(compare.seen()));
        } else if (message instanceof RingMessage.Chosen chosen) {
            json.set("winner", member(chosen.winner()));
            json.set("seen", term(chosen.seen()));
        } else if (message instanceof RingMessage.OfLeader lap) {
            json.set("term", term(lap.term()));
            json.put("sequence", lap.sequence());
        } else if (message instanceof RingMessage.Yield word) {
            json.put("round", word.round());
            json.set("term", term(word.term()));
            json.put("heir", word.heir());
        } else {
            json.set("term", term(((RingMessage.Nack) message).term()));
        }
        return json;
    }

    static RingMessage message(JsonNode json) {
        ViewId view = viewId(json.get("view"));
        String kind = json.get("kind").asText();
        long round = json.path("round").asLong();
        return switch (kind) {
            case "elect" ->
                new RingMessage.Elect(
                        view, round, key(json.get("key")), json.get("attempt").asInt(), term(json.get("seen")));
            case "compare" ->
                new RingMessage.Compare(
                        view,
                        round,
                        json.get("phase").asInt(),
                        json.get("second").asBoolean(),
                        key(json.get("key")),
                        term(json.get("seen")));
            case "chosen" -> new RingMessage.Chosen(view, round, member(json.get("winner")), term(json.get("seen")));
            case "elected" ->
                new RingMessage.Elected(
                        view,
                        round,
                        term(json.get("term")),
                        json.get("sequence").asLong());
            case "beat" ->
                new RingMessage.Beat(
                        view,
                        round,
                        term(json.get("term")),
                        json.get("sequence").asLong());
            case "nack" -> new RingMessage.Nack(view, term(json.get("term")));
            case "yield" ->
                new RingMessage.Yield(
                        view, round, term(json.get("term")), json.get("heir").asBoolean());
            default -> throw new AssertionError("unknown kind " + kind);
        };
    }

    static ObjectNode member(Member member) {
        return JSON.objectNode().put("id", member.id()).put("incarnation", member.incarnation());
    }

    static Member member(JsonNode json) {
        return new Member(json.get("id").asText(), json.get("incarnation").asText());
    }

    static View view(JsonNode json) {
        var members = new ArrayList<Member>();
        json.get("members").forEach(one -> members.add(member(one)));
        return new View(viewId(json.get("id")), members);
    }

    private static ObjectNode view(View view) {
        ObjectNode json = JSON.objectNode();
        json.set("id", viewId(view.id()));
        ArrayNode members = json.putArray("members");
        // Not in the order of the ring, which is for the reader to find.
        view.members().stream().sorted().forEach(one -> members.add(member(one)));
        return json;
    }

    private static ObjectNode effect(RingEffect effect) {
        ObjectNode json = JSON.objectNode();
        if (effect instanceof RingEffect.Send send) {
            json.put("type", "send").set("to", member(send.to()));
            json.set("message", message(send.message()));
        } else if (effect instanceof RingEffect.Lead lead) {
            json.put("type", "lead").set("term", term(lead.term()));
        } else if (effect instanceof RingEffect.StepDown down) {
            json.put("type", "stepDown").set("term", term(down.term()));
            json.put("cause", word(down.cause()));
        } else if (effect instanceof RingEffect.Jeopardy jeopardy) {
            json.put("type", "jeopardy").set("term", term(jeopardy.term()));
            json.put("remainingMillis", wholeMillis(jeopardy.remaining().toNanos()));
        } else if (effect instanceof RingEffect.Recovered recovered) {
            json.put("type", "recovered").set("term", term(recovered.term()));
        } else if (effect instanceof RingEffect.LeaderChanged changed) {
            json.put("type", "leader").set("term", term(changed.term().orElse(Term.NONE)));
        } else if (effect instanceof RingEffect.HandOverFailed failed) {
            json.put("type", "handOverFailed").put("heir", failed.heir());
            json.put("why", word(failed.why()));
        } else {
            var dropped = (RingEffect.Dropped) effect;
            json.put("type", "dropped").set("from", member(dropped.from()));
            json.set("message", message(dropped.message()));
            json.put("why", word(dropped.why()));
        }
        return json;
    }

    private static ObjectNode key(Key key) {
        ObjectNode json = JSON.objectNode().put("stands", key.stands());
        json.set("incumbent", term(key.incumbent()));
        json.put("priority", key.priority()).put("joined", key.joined());
        json.set("member", member(key.member()));
        return json;
    }

    private static Key key(JsonNode json) {
        return new Key(
                json.get("stands").asBoolean(),
                term(json.get("incumbent")),
                json.get("priority").asInt(),
                json.get("joined").asLong(),
                member(json.get("member")));
    }

    private static JsonNode term(Term term) {
        Member creator = term.creator();
        if (creator == null) {
            return JSON.nullNode();
        }
        ObjectNode json = JSON.objectNode().put("counter", term.counter());
        json.set("creator", member(creator));
        return json;
    }

    private static Term term(JsonNode json) {
        return json.isNull() ? Term.NONE : new Term(json.get("counter").asLong(), member(json.get("creator")));
    }

    private static ObjectNode viewId(ViewId id) {
        return JSON.objectNode().put("number", id.number()).put("creator", id.creator());
    }

    private static ViewId viewId(JsonNode json) {
        return new ViewId(json.get("number").asLong(), json.get("creator").asText());
    }

    private static LossCause cause(JsonNode json) {
        return LossCause.valueOf(json.asText().toUpperCase(Locale.ROOT));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static Duration millis(JsonNode json, String name) {
        return Duration.ofMillis(json.get(name).asLong());
    }

    private static long wholeMillis(long nanos) {
        if (nanos % MILLI != 0) {
            throw new AssertionError("no whole millisecond: " + nanos);
        }
        return nanos / MILLI;
    }
}
