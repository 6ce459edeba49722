package dev.doyen.injector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.store.LeaseNotes;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The revision of a pod's ReplicaSet, which is the generation of the pod's elector (rule M8).
 *
 * <p>A Deployment numbers its ReplicaSets in the annotation {@code deployment.kubernetes.io/revision}. After a rollback,
 * the old ReplicaSet has a new, higher revision.
 *
 * @param number the revision; 0 if it is unknown, or if the pod needs none
 * @param warning the sentence for the creator of the pod if the revision could not be read
 */
public record Revision(long number, Optional<String> warning) {

    /** The revision of a pod that needs none. */
    public static final Revision NONE = new Revision(0, Optional.empty());

    private static final String ANNOTATION = "deployment.kubernetes.io/revision";

    /** The pattern of a number that a {@code long} can contain. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,16}");

    /** The maximum length of a cause in a warning, in characters. An API server cuts a warning after 256 characters. */
    private static final int MAX_CAUSE = 100;

    /** Returns the revision of a ReplicaSet, or an unknown revision if the ReplicaSet has no valid revision. */
    public static Revision of(JsonNode replicaSet) {
        String text = replicaSet.at("/metadata/annotations").path(ANNOTATION).asText();
        return generation(text)
                .map(number -> new Revision(number, Optional.empty()))
                .orElseGet(() ->
                        unknown("its annotation " + ANNOTATION + " is \"" + PodAnnotations.shortened(text) + "\""));
    }

    /** Returns an unknown revision, with a warning that contains the cause. */
    public static Revision unknown(String cause) {
        String line = cause.replaceAll("\\s+", " ");
        String shown = line.length() <= MAX_CAUSE ? line : line.substring(0, MAX_CAUSE) + "...";
        return new Revision(
                0,
                Optional.of("the elector has no generation, because the ReplicaSet's revision is unknown: " + shown
                        + "; set annotation " + PodOptions.GENERATION));
    }

    /** Parses a generation. The result is empty if the text is not a number from 0 to 2^53 - 1. */
    static Optional<Long> generation(String text) {
        return Optional.of(text)
                .filter(digits -> NUMBER.matcher(digits).matches())
                .map(Long::valueOf)
                .filter(number -> number <= LeaseNotes.MAX_GENERATION);
    }
}
