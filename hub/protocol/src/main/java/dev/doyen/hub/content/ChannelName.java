package dev.doyen.hub.content;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.AppChannels;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parsed channel name. For example, {@code [?rewind=1]orders} is the channel {@code orders} with a parameter.
 *
 * @param spelling the name as the client sent it; the hub sends the same text back
 * @param name the internal name without the qualifier, see {@link AppChannels}
 * @param params the parameters in the qualifier
 */
public record ChannelName(String spelling, String name, Map<String, String> params) {

    /** A qualified name may be this many times as long as a plain name. */
    private static final int SPELLINGS_PER_NAME = 2;

    /**
     * Parses a channel name. Throws a {@link Refusal} if the name is missing or invalid.
     *
     * @param access the access of the client, which determines the app of the channel
     */
    public static ChannelName parse(@Nullable String spelling, Access access, HubSettings settings) throws Refusal {
        if (spelling == null || spelling.isEmpty()) {
            throw bad("the channel name is empty");
        }
        if (spelling.length() > SPELLINGS_PER_NAME * settings.maxChannelNameLength()) {
            throw bad("the channel name with its qualifier has " + spelling.length() + " characters; at most "
                    + SPELLINGS_PER_NAME * settings.maxChannelNameLength() + " are allowed");
        }
        if (!spelling.startsWith("[")) {
            return new ChannelName(spelling, internal(spelling, access, settings), Map.of());
        }
        int end = spelling.indexOf(']');
        if (end < 0) {
            throw bad("the qualifier of channel " + Quote.of(spelling) + " has no closing bracket");
        }
        String qualifier = spelling.substring(1, end);
        if (!qualifier.isEmpty() && !qualifier.startsWith("?")) {
            throw bad("the qualifier of channel " + Quote.of(spelling) + " is not known; only [?name=value] is");
        }
        var params = new LinkedHashMap<String, String>();
        for (String pair :
                qualifier.isEmpty() ? new String[0] : qualifier.substring(1).split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                params.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return new ChannelName(spelling, internal(spelling.substring(end + 1), access, settings), params);
    }

    private static String internal(String name, Access access, HubSettings settings) throws Refusal {
        return AppChannels.internalName(access.app(), checked(name, settings));
    }

    private static String checked(String name, HubSettings settings) throws Refusal {
        if (name.isEmpty()) {
            throw bad("the channel name is empty after its qualifier");
        }
        if (name.length() > settings.maxChannelNameLength()) {
            throw bad("the channel name has " + name.length() + " characters; at most "
                    + settings.maxChannelNameLength() + " are allowed");
        }
        char first = name.charAt(0);
        if (first == ':' || first == ',' || first == ' ' || first == '[') {
            throw bad("the channel name " + Quote.of(name) + " must not start with '" + first + "'");
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                throw bad("the channel name has a line break or control character at position " + i + "; remove it");
            }
        }
        return name;
    }

    private static Refusal bad(String sentence) {
        return new Refusal(ErrorCode.BAD_CHANNEL_NAME, sentence);
    }
}
