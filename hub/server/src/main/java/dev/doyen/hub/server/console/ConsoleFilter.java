package dev.doyen.hub.server.console;

import dev.doyen.hub.channel.ChannelView;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The channels and members that a viewer of the console searches for.
 *
 * <p>A text matches a name that contains it. The case of letters does not matter. A space or a hyphen matches both a
 * space and a hyphen, because the pages of the demo show the hyphens of their client ids as spaces.
 *
 * @param channel a part of the channels' names; empty for all channels
 * @param member a part of the members' client ids; empty for all members
 * @param show the state of the channels
 */
public record ConsoleFilter(String channel, String member, Show show) {

    /** The maximum length of a text, which is also the default limit of names and client ids in UTF-16 units. */
    static final int MAX_TEXT = 255;

    /** A viewer without a filter sees all channels. */
    static final ConsoleFilter NONE = new ConsoleFilter("", "", Show.ALL);

    /** The states by which a viewer can select channels. */
    public enum Show {
        ALL,
        /** Channels with a leader. */
        LED,
        /** Channels without a leader. */
        VACANT,
        /** Channels with a paused election. */
        PAUSED
    }

    /**
     * Reads the query parameters {@code channel}, {@code member} and {@code show}.
     *
     * @throws IllegalArgumentException if a parameter is not valid; the message is a sentence for the viewer
     */
    static ConsoleFilter of(String uri) {
        Map<String, List<String>> parameters;
        try {
            parameters = new QueryStringDecoder(uri).parameters();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("The percent-encoding of the query is malformed (RFC 3986).", e);
        }
        return new ConsoleFilter(text(parameters, "channel"), text(parameters, "member"), show(parameters));
    }

    boolean isNone() {
        return equals(NONE);
    }

    /** Returns true if the viewer sees only channels that have a matching member. */
    boolean searchesMembers() {
        return !member.isEmpty();
    }

    /** Returns the condition on the names of channels. */
    Predicate<String> ofChannels() {
        return containing(channel);
    }

    /** Returns the condition on the client ids of members. */
    Predicate<String> ofMembers() {
        return containing(member);
    }

    /**
     * Returns true if the channel has the selected state.
     *
     * @param paused returns true if an election of the channel is paused
     */
    boolean shows(ChannelView view, BooleanSupplier paused) {
        return switch (show) {
            case ALL -> true;
            case LED -> view.leader().isPresent();
            case VACANT -> view.leader().isEmpty();
            case PAUSED -> paused.getAsBoolean();
        };
    }

    private static Predicate<String> containing(String text) {
        if (text.isEmpty()) {
            return name -> true;
        }
        String parts = Arrays.stream(text.split("[ -]", -1)).map(Pattern::quote).collect(Collectors.joining("[ -]"));
        return Pattern.compile(parts, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE)
                .asPredicate();
    }

    private static String text(Map<String, List<String>> parameters, String name) {
        String text = parameters.getOrDefault(name, List.of("")).get(0).strip();
        if (text.length() > MAX_TEXT) {
            throw new IllegalArgumentException("The parameter \"" + name + "\" has " + text.length()
                    + " characters. It may have at most " + MAX_TEXT + ".");
        }
        return text;
    }

    private static Show show(Map<String, List<String>> parameters) {
        String text = parameters.getOrDefault("show", List.of("all")).get(0);
        return Arrays.stream(Show.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "The parameter \"show\" has an unknown value. Use all, led, vacant or paused."));
    }
}
