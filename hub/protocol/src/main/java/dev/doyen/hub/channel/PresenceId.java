package dev.doyen.hub.channel;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The numbers in the id of a client's presence event: {@code <connectionId>:<msgSerial>:<index>}.
 *
 * <p>SDKs order the events of a member by these numbers.
 */
public record PresenceId(long msgSerial, int index) implements Comparable<PresenceId> {

    private static final Pattern NUMBERS = Pattern.compile("([0-9]{1,18}):([0-9]{1,9})");

    /**
     * Parses an id that a client has sent. The result is empty if the id is malformed or belongs to another connection.
     * Old SDKs send ids of earlier connections.
     */
    public static Optional<PresenceId> ofOwn(@Nullable String id, Connection connection) {
        if (id == null || !id.startsWith(connection.id + ":")) {
            return Optional.empty();
        }
        var numbers = NUMBERS.matcher(id.substring(connection.id.length() + 1));
        return numbers.matches()
                ? Optional.of(new PresenceId(Long.parseLong(numbers.group(1)), Integer.parseInt(numbers.group(2))))
                : Optional.empty();
    }

    public String on(Connection connection) {
        return connection.id + ":" + msgSerial + ":" + index;
    }

    @Override
    public int compareTo(PresenceId other) {
        int bySerial = Long.compare(msgSerial, other.msgSerial);
        return bySerial != 0 ? bySerial : Integer.compare(index, other.index);
    }
}
