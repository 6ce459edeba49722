package dev.doyen.injector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.store.LeaseNotes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The options that a pod sets in its annotations.
 *
 * <p>The injector rejects a pod with an invalid option. If the injector ignored the option, the pod could start with
 * wrong settings, such as the wrong election. The pod could then lead at the same time as the real leader.
 *
 * @param election the name of the election, if the pod sets it
 * @param portsChosen true if the pod sets both ports itself
 * @param generation the generation of the elector's candidate, if the pod sets it
 * @param nonExpiring true if the elector acquires a non-expiring lease, so that the leader does not change while its
 *     pod exists
 * @param appCommand the name of the application's program, if the elector watches the processes of this program
 * @param resources the requests and limits of the elector's container, such as {@code requests.cpu}
 */
record PodOptions(
        Optional<String> election,
        Optional<String> image,
        int port,
        int probePort,
        boolean portsChosen,
        Optional<Long> generation,
        boolean nonExpiring,
        boolean leaderLabel,
        HealthOptions health,
        Optional<String> appCommand,
        Map<Resource, String> resources) {

    static final int DEFAULT_PORT = 4040;
    static final int DEFAULT_PROBE_PORT = 4041;

    private static final int MAX_IMAGE = 1024;
    /** The pattern of a Lease's name, which is a DNS-1123 subdomain. */
    private static final Pattern ELECTION_NAME =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private static final Pattern IMAGE_NAME = Pattern.compile("[^\\s\\p{Cntrl}]{1," + MAX_IMAGE + "}");
    private static final Pattern QUANTITY = Pattern.compile("[0-9]{1,12}(\\.[0-9]{1,3})?(m|k|M|G|Ki|Mi|Gi)?");
    private static final Pattern COMMAND_NAME = Pattern.compile("[^\\s\\p{Cntrl}/]{1,255}");

    static final String APP_COMMAND = Marks.option("app-command");
    static final String GENERATION = Marks.option("generation");

    private static final String PORT = Marks.option("port");
    private static final String PROBE_PORT = Marks.option("probe-port");
    private static final String IMAGE = Marks.option("image");
    private static final String MODE = Marks.option("mode");

    /**
     * A resource request or limit of the elector's container. If {@link #usual} is empty, the container has this entry
     * only if an annotation of the pod sets it.
     */
    enum Resource {
        CPU_REQUEST("cpu-request", "requests", "cpu", Optional.of("10m")),
        MEMORY_REQUEST("memory-request", "requests", "memory", Optional.of("64Mi")),
        CPU_LIMIT("cpu-limit", "limits", "cpu", Optional.empty()),
        MEMORY_LIMIT("memory-limit", "limits", "memory", Optional.of("128Mi"));

        final String annotation;
        final String group;
        final String what;
        final Optional<String> usual;

        Resource(String option, String group, String what, Optional<String> usual) {
            this.annotation = Marks.option(option);
            this.group = group;
            this.what = what;
            this.usual = usual;
        }
    }

    /** Parses the {@code metadata.annotations} of a pod. The annotations can be missing. */
    static PodOptions read(JsonNode annotations) throws InjectionRefusedException {
        var given = new PodAnnotations(annotations);
        given.refuseUnknown(known());
        int port = given.port(PORT, DEFAULT_PORT);
        int probePort = given.port(PROBE_PORT, DEFAULT_PROBE_PORT);
        if (port == probePort) {
            throw new InjectionRefusedException("annotations " + PORT + " and " + PROBE_PORT + " are both " + port
                    + "; choose two different ports");
        }
        boolean nonExpiring = given.oneOf(MODE, "lease", "non_expiring").equals("non_expiring");
        var resources = new TreeMap<Resource, String>();
        for (var resource : Resource.values()) {
            given.matching(resource.annotation, QUANTITY, "a quantity such as 10m or 64Mi")
                    .or(() -> resource.usual)
                    .ifPresent(quantity -> resources.put(resource, quantity));
        }
        return new PodOptions(
                given.matching(
                        Marks.ELECTION,
                        ELECTION_NAME,
                        "the name of a Lease, 1 to 253 characters: words of a-z, 0-9 and - separated by dots"),
                given.matching(IMAGE, IMAGE_NAME, "1 to " + MAX_IMAGE + " characters without spaces"),
                port,
                probePort,
                given.has(PORT) && given.has(PROBE_PORT),
                generation(given, nonExpiring),
                nonExpiring,
                given.oneOf(Marks.LEADER_LABEL, "true", "false").equals("true"),
                HealthOptions.read(given, nonExpiring),
                given.matching(
                        APP_COMMAND, COMMAND_NAME, "the name of a program, 1 to 255 characters without blanks and /"),
                Map.copyOf(resources));
    }

    private static Optional<Long> generation(PodAnnotations given, boolean nonExpiring)
            throws InjectionRefusedException {
        var text = given.text(GENERATION);
        var generation = text.flatMap(Revision::generation);
        if (text.isPresent() && generation.isEmpty()) {
            throw given.refusal(GENERATION, "a number from 0 to " + LeaseNotes.MAX_GENERATION);
        }
        if (nonExpiring && generation.orElse(0L) > 0) {
            throw new InjectionRefusedException("annotation " + GENERATION + " has no effect with annotation " + MODE
                    + ": non_expiring, because a leader never hands over there; leave out one of them");
        }
        return generation;
    }

    /** Returns the names of all annotations of the injector. */
    private static SortedSet<String> known() {
        var known = new TreeSet<>(List.of(
                Marks.STATUS,
                Marks.WARNING,
                Marks.ELECTION,
                Marks.LEADER_LABEL,
                PORT,
                PROBE_PORT,
                IMAGE,
                MODE,
                GENERATION,
                APP_COMMAND,
                HealthOptions.ANNOTATION));
        for (var resource : Resource.values()) {
            known.add(resource.annotation);
        }
        for (var setting : HealthOptions.Setting.values()) {
            known.add(setting.annotation);
        }
        return known;
    }
}
