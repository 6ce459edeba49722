package dev.doyen.ranking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The words of a vector's file, as the machine takes and gives them. */
final class VectorJson {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final long MILLI = 1_000_000;

    private VectorJson() {}

    static RankingSettings settings(JsonNode json) {
        return new RankingSettings(
                Ranking.oldest(),
                json.get("prio").asInt(),
                json.get("candidate").asBoolean(),
                millis(json, "ttlMillis"),
                millis(json, "settleMillis"),
                millis(json, "exclusiveSettleMillis"),
                millis(json, "cooldownMillis"),
                millis(json, "backoffMillis"),
                millis(json, "backoffMaxMillis"),
                millis(json, "answerMillis"));
    }

    static Moment moment(JsonNode step, long origin) {
        long at = step.get("at").asLong();
        return new Moment(
                origin + at * MILLI, step.has("wall") ? step.get("wall").asLong() : at);
    }

    static RankingInput input(JsonNode json, Moment at, long origin) {
        String type = json.get("type").asText();
        return switch (type) {
            case "connected" -> new RankingInput.Connected(at, json.get("key").asText());
            case "disconnected" -> new RankingInput.Disconnected(at);
            case "detached" -> new RankingInput.Detached(at);
            case "syncStarted" -> new RankingInput.SyncStarted(at);
            case "syncComplete" -> new RankingInput.SyncComplete(at, members(json.get("members")));
            case "member" ->
                new RankingInput.MemberHeard(
                        at,
                        RankingInput.Action.valueOf(json.get("action").asText().toUpperCase(Locale.ROOT)),
                        member(json.get("member")));
            case "acked" -> new RankingInput.Acked(at, json.get("seq").asLong());
            case "refused" -> new RankingInput.Refused(at, json.get("seq").asLong(), number(json.get("term")));
            case "failed" -> new RankingInput.Failed(at, json.get("seq").asLong());
            case "fenced" -> new RankingInput.Fenced(at, json.get("term").asLong());
            case "pingAnswered" -> {
                JsonNode sent = json.get("sent");
                yield new RankingInput.PingAnswered(
                        at,
                        new Moment(
                                origin + sent.get("now").asLong() * MILLI,
                                sent.get("wall").asLong()));
            }
            case "tick" -> new RankingInput.Tick(at);
            case "resign" -> new RankingInput.Resign(at);
            case "freeze" -> new RankingInput.Freeze(at);
            case "thaw" -> new RankingInput.Thaw(at);
            case "close" ->
                new RankingInput.Close(
                        at,
                        json.has("reason")
                                ? LossCause.valueOf(json.get("reason").asText().toUpperCase(Locale.ROOT))
                                : LossCause.CLOSED);
            default -> throw new AssertionError("unknown input " + type);
        };
    }

    static ArrayNode effects(List<RankingEffect> effects) {
        ArrayNode all = JSON.arrayNode();
        effects.forEach(effect -> all.add(effect(effect)));
        return all;
    }

    static JsonNode wakeAt(long wakeAtNanos, long origin) {
        if (wakeAtNanos == Long.MAX_VALUE) {
            return JSON.nullNode();
        }
        long nanos = wakeAtNanos - origin;
        if (nanos % MILLI != 0) {
            throw new AssertionError("wakeAt is no whole millisecond: " + nanos);
        }
        return JSON.numberNode((int) (nanos / MILLI));
    }

    private static ObjectNode effect(RankingEffect effect) {
        ObjectNode json = JSON.objectNode();
        if (effect instanceof RankingEffect.Follow follow) {
            return json.put("type", "follow")
                    .put("seq", (int) follow.seq())
                    .put("term", follow.term())
                    .put("elig", follow.eligible());
        }
        if (effect instanceof RankingEffect.Claim claim) {
            return json.put("type", "claim").put("seq", (int) claim.seq()).put("term", claim.term());
        }
        if (effect instanceof RankingEffect.StartWork start) {
            return json.put("type", "startWork").put("term", start.term());
        }
        if (effect instanceof RankingEffect.StopWork stop) {
            return json.put("type", "stopWork")
                    .put("term", stop.term())
                    .put("reason", stop.reason().name().toLowerCase(Locale.ROOT));
        }
        if (effect instanceof RankingEffect.Leader leader) {
            json.put("type", "leader");
            ObjectNode view = leader.leader().map(VectorJson::view).orElse(null);
            return json.set("leader", view == null ? JSON.nullNode() : view);
        }
        return json.put("type", effect instanceof RankingEffect.Leave ? "leave" : "ping");
    }

    private static ObjectNode view(LeaderView leader) {
        return JSON.objectNode()
                .put("key", leader.key())
                .put("clientId", leader.clientId())
                .put("term", leader.term());
    }

    private static List<Member> members(JsonNode json) {
        var all = new ArrayList<Member>();
        json.forEach(one -> all.add(member(one)));
        return all;
    }

    private static Member member(JsonNode json) {
        JsonNode ended = json.get("ended");
        return new Member(
                json.get("key").asText(),
                json.get("clientId").asText(),
                json.get("order").asLong(),
                json.get("role").asText().equals("L") ? Role.LEADER : Role.FOLLOWER,
                json.get("term").asLong(),
                number(json.get("stamped")),
                json.get("prio").asLong(),
                json.get("elig").asBoolean(),
                number(json.get("seq")),
                ended == null ? Optional.empty() : Optional.of(new Member.Ended(text(ended.get("heir")))));
    }

    private static Optional<String> text(@Nullable JsonNode json) {
        return json == null || json.isNull() ? Optional.empty() : Optional.of(json.asText());
    }

    private static OptionalLong number(@Nullable JsonNode json) {
        return json == null || json.isNull() ? OptionalLong.empty() : OptionalLong.of(json.asLong());
    }

    private static Duration millis(JsonNode json, String name) {
        return Duration.ofMillis(json.get(name).asLong());
    }
}
