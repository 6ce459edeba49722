package dev.doyen.channel;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.doyen.channel.roll.Entry;
import dev.doyen.channel.roll.RollCall;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.ViewId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What members write on their channel: the data of their presence, and messages, which carry the view their sender has
 * installed. {@code ring-words.ts} reads and writes the same. What is nothing of the kind is read as nothing.
 */
final class ChannelWords {

    /** The name of all messages between members. */
    static final String MESSAGE = "doyen.member";

    private static final int VERSION = 1;

    /** No more are said, or read, to be silent. */
    private static final int MAX_SILENT = 200;

    private ChannelWords() {}

    /**
     * What one member says to another, or to all: then only its view.
     *
     * @param silent the incarnations that its sender takes for silent; only in what is said to all
     * @param atMillis when it was said, by its sender's clock, which means something to its sender only; only in what is said to all
     * @param to the receiver's incarnation, null for all
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Letter(
            Member from,
            Optional<ViewId> view,
            List<String> silent,
            OptionalLong atMillis,
            @Nullable String to,
            String topic,
            byte[] bytes) {}

    static JsonObject presence(Member me) {
        var data = new JsonObject();
        data.addProperty("doyen", "member");
        data.addProperty("incarnation", me.incarnation());
        return data;
    }

    /** Reads an entry of the presence set. Who did not write {@link #presence} is no member. */
    static Entry entry(String clientId, String connectionId, long timestamp, @Nullable Object data) {
        String key = connectionId + ":" + clientId;
        if (data instanceof JsonObject json && "member".equals(text(json.get("doyen")))) {
            return new Entry(key, member(clientId, text(json.get("incarnation"))), timestamp);
        }
        return new Entry(key, Optional.empty(), timestamp);
    }

    static JsonObject letter(Member to, Member from, Optional<ViewId> view, String topic, byte[] bytes) {
        JsonObject data = head(from, view);
        data.addProperty("to", to.incarnation());
        data.addProperty("topic", topic);
        data.addProperty("m", Base64.getEncoder().encodeToString(bytes));
        return data;
    }

    static JsonObject announcement(Member from, ViewId view, List<String> silent, long atMillis) {
        JsonObject data = head(from, Optional.of(view));
        data.addProperty("at", atMillis);
        if (!silent.isEmpty()) {
            var names = new JsonArray();
            silent.stream().limit(MAX_SILENT).forEach(names::add);
            data.add("silent", names);
        }
        return data;
    }

    private static JsonObject head(Member from, Optional<ViewId> view) {
        var data = new JsonObject();
        data.addProperty("v", VERSION);
        data.addProperty("from", from.incarnation());
        view.ifPresent(id -> {
            var pair = new JsonArray();
            pair.add(id.number());
            pair.add(id.creator());
            data.add("view", pair);
        });
        return data;
    }

    /** Reads what a member said. The hub vouches for the sender's client id. */
    static Optional<Letter> read(@Nullable String name, @Nullable String clientId, @Nullable Object data) {
        if (!MESSAGE.equals(name) || clientId == null || !(data instanceof JsonObject json)) {
            return Optional.empty();
        }
        if (!new JsonPrimitive(VERSION).equals(json.get("v"))) {
            return Optional.empty();
        }
        Optional<ViewId> view = view(json.get("view"));
        return member(clientId, text(json.get("from"))).flatMap(from -> {
            if (!json.has("to")) {
                return Optional.of(new Letter(
                        from, view, silent(json.get("silent")), count(json.get("at")), null, "", new byte[0]));
            }
            String to = text(json.get("to"));
            String topic = text(json.get("topic"));
            byte[] bytes = bytes(text(json.get("m")));
            return to == null || topic == null || bytes == null
                    ? Optional.empty()
                    : Optional.of(new Letter(from, view, List.of(), OptionalLong.empty(), to, topic, bytes));
        });
    }

    private static Optional<Member> member(String id, @Nullable String incarnation) {
        if (incarnation == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Member(id, incarnation));
        } catch (IllegalArgumentException e) {
            // A name that cannot be: nobody who takes part has one.
            return Optional.empty();
        }
    }

    private static Optional<ViewId> view(@Nullable JsonElement said) {
        if (!(said instanceof JsonArray pair) || pair.size() != 2) {
            return Optional.empty();
        }
        String creator = text(pair.get(1));
        OptionalLong number = count(pair.get(0));
        if (creator == null || number.isEmpty() || number.getAsLong() < 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ViewId(number.getAsLong(), creator));
        } catch (IllegalArgumentException e) {
            // A view that cannot be: nobody has installed it.
            return Optional.empty();
        }
    }

    private static OptionalLong count(@Nullable JsonElement said) {
        if (!(said instanceof JsonPrimitive digits && digits.isNumber())) {
            return OptionalLong.empty();
        }
        try {
            long number = digits.getAsBigDecimal().longValueExact();
            return number < 0 || number > RollCall.MAX_NUMBER ? OptionalLong.empty() : OptionalLong.of(number);
        } catch (RuntimeException e) {
            // Gson has an exception for each way of not being a number.
            return OptionalLong.empty();
        }
    }

    private static List<String> silent(@Nullable JsonElement said) {
        var names = new ArrayList<String>();
        if (said instanceof JsonArray array) {
            for (int i = 0; i < Math.min(array.size(), MAX_SILENT); i++) {
                String name = text(array.get(i));
                if (name != null) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private static byte @Nullable [] bytes(@Nullable String base64) {
        if (base64 == null || base64.length() > 2 * Membership.MAX_MESSAGE_BYTES) {
            return null;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            return bytes.length > Membership.MAX_MESSAGE_BYTES ? null : bytes;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable String text(@Nullable JsonElement value) {
        return value instanceof JsonPrimitive primitive && primitive.isString() ? primitive.getAsString() : null;
    }
}
