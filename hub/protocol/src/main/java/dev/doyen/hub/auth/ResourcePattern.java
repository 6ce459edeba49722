package dev.doyen.hub.auth;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The channels that one resource of a capability matches.
 *
 * <p>Colons divide names into segments. A {@code *} matches one whole segment; a {@code *} at the end matches one or
 * more segments. The pattern {@code [*]*} matches every channel.
 */
record ResourcePattern(List<String> segments) {

    private static final String ANY = "*";
    private static final String EVERYTHING = "[*]*";

    static ResourcePattern of(String text) {
        return new ResourcePattern(text.equals(EVERYTHING) ? List.of(ANY) : List.of(text.split(":", -1)));
    }

    boolean matches(String channel) {
        String[] given = channel.split(":", -1);
        for (int i = 0; i < segments.size(); i++) {
            if (i == given.length) {
                return false;
            }
            if (isLastAny(i)) {
                return true;
            }
            if (!segments.get(i).equals(ANY) && !segments.get(i).equals(given[i])) {
                return false;
            }
        }
        return given.length == segments.size();
    }

    /**
     * Returns the pattern for the channels that both patterns match. The result is empty if no channel matches both
     * patterns.
     */
    Optional<ResourcePattern> intersect(ResourcePattern other) {
        var both = new ArrayList<String>();
        for (int i = 0; i < segments.size() && i < other.segments.size(); i++) {
            if (isLastAny(i)) {
                both.addAll(other.segments.subList(i, other.segments.size()));
                return Optional.of(new ResourcePattern(List.copyOf(both)));
            }
            if (other.isLastAny(i)) {
                both.addAll(segments.subList(i, segments.size()));
                return Optional.of(new ResourcePattern(List.copyOf(both)));
            }
            String mine = segments.get(i);
            String theirs = other.segments.get(i);
            if (!mine.equals(ANY) && !theirs.equals(ANY) && !mine.equals(theirs)) {
                return Optional.empty();
            }
            both.add(mine.equals(ANY) ? theirs : mine);
        }
        return segments.size() == other.segments.size()
                ? Optional.of(new ResourcePattern(List.copyOf(both)))
                : Optional.empty();
    }

    private boolean isLastAny(int index) {
        return index == segments.size() - 1 && segments.get(index).equals(ANY);
    }

    @Override
    public String toString() {
        return String.join(":", segments);
    }
}
