package dev.doyen.hub.server.nodes;

import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.LogPosition;
import dev.doyen.hub.log.Proposal;
import dev.doyen.hub.step.NodeEffect;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls the functions of {@code hub.lua} in Redis and reads their answers. Any thread may call the methods. */
final class HubFunctions {

    private final NodeSettings settings;

    HubFunctions(NodeSettings settings) {
        this.settings = settings;
    }

    /** Returns the source of the library, for {@code FUNCTION LOAD}. */
    static String library() {
        try (var in = HubFunctions.class.getResourceAsStream("hub.lua")) {
            if (in == null) {
                throw new IllegalStateException("hub.lua is missing beside this class");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RedisFuture<List<String>> join(RedisAsyncCommands<String, String> redis, String node, String series) {
        return call(redis, "doyen_join", node, ms(settings.ttl().toMillis()), series);
    }

    RedisFuture<List<String>> beat(RedisAsyncCommands<String, String> redis, Membership as, LogPosition read) {
        return call(
                redis, "doyen_beat", as.series(), as.node(), ms(settings.ttl().toMillis()), read.toString());
    }

    RedisFuture<List<String>> leave(RedisAsyncCommands<String, String> redis, Membership as) {
        return call(redis, "doyen_leave", as.series(), as.node());
    }

    RedisFuture<List<String>> append(RedisAsyncCommands<String, String> redis, Membership as, Proposal proposal) {
        var args = new ArrayList<String>(List.of(
                as.series(),
                as.node(),
                Long.toString(proposal.number()),
                proposal.text(),
                proposal.connectionId() == null ? "" : proposal.connectionId(),
                proposal.ownerNode(),
                Long.toString(proposal.msgSerial()),
                Integer.toString(proposal.messages()),
                proposal.channel(),
                Integer.toString(settings.answersKept()),
                ms(settings.stateKept().toMillis()),
                Integer.toString(settings.logEntries()),
                Integer.toString(proposal.ids().size())));
        args.addAll(proposal.ids());
        args.add(Integer.toString(proposal.fences().size()));
        for (Proposal.Fence fence : proposal.fences()) {
            args.add(fence.slot());
            args.add(Long.toString(fence.term()));
        }
        return call(redis, "doyen_append", args.toArray(String[]::new));
    }

    RedisFuture<List<String>> enroll(RedisAsyncCommands<String, String> redis, Membership as, NodeEffect.Enroll who) {
        return call(
                redis,
                "doyen_enroll",
                as.series(),
                as.node(),
                who.connectionId(),
                client(who.clientId()),
                String.join(",", who.keyDigests()),
                ms(settings.stateKept().toMillis()));
    }

    RedisFuture<List<String>> discharge(RedisAsyncCommands<String, String> redis, Membership as, String connectionId) {
        return call(redis, "doyen_discharge", as.series(), as.node(), connectionId);
    }

    RedisFuture<List<String>> take(RedisAsyncCommands<String, String> redis, Membership as, NodeEffect.TakeOver what) {
        return call(
                redis,
                "doyen_take",
                as.series(),
                as.node(),
                Long.toString(what.number()),
                what.connectionId(),
                what.keyDigest(),
                client(what.clientId()),
                ms(settings.stateKept().toMillis()));
    }

    /**
     * Returns the reason why Redis declined a request. The result is empty if Redis accepted the request.
     *
     * @throws MembershipLostException if this node is no longer a member
     */
    static Optional<Declined> declined(List<String> answer) throws MembershipLostException {
        switch (answer.get(0)) {
            case "OK" -> {
                return Optional.empty();
            }
            case "ELSEWHERE" -> {
                return Optional.of(new Declined.Elsewhere());
            }
            case "UNKNOWN" -> {
                return Optional.of(new Declined.Unknown());
            }
            case "ANOTHERS" -> {
                return Optional.of(new Declined.AnothersClient());
            }
            case "PARTLY" -> {
                return Optional.of(new Declined.PartlyRepeated());
            }
            case "REPEATED" -> {
                return Optional.of(new Declined.Repeated(answer.subList(1, answer.size()).stream()
                        .map(HubFunctions::place)
                        .toList()));
            }
            case "FENCED" -> {
                return Optional.of(new Declined.Fenced(answer.get(1), Long.parseLong(answer.get(2))));
            }
            case "EVICTED" -> throw new MembershipLostException("the other nodes have removed this node; reconnect");
            case "SERIES" -> throw new MembershipLostException("the nodes' Redis has lost its data; reconnect");
            default -> throw new IllegalStateException("hub.lua answered " + answer.get(0));
        }
    }

    private static Declined.Place place(String text) {
        int slash = text.indexOf('/');
        return new Declined.Place(
                LogPosition.parse(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
    }

    /**
     * Returns the argument for a client id. The prefix distinguishes a client without an id from a client with the id
     * {@code nobody}.
     */
    private static String client(@Nullable String clientId) {
        return clientId == null ? "nobody" : "client:" + clientId;
    }

    private static String ms(long millis) {
        return Long.toString(millis);
    }

    private RedisFuture<List<String>> call(RedisAsyncCommands<String, String> redis, String function, String... args) {
        return redis.fcall(function, ScriptOutputType.MULTI, new String[] {settings.log()}, args);
    }
}
