package dev.doyen.injector;

/** The names of the labels and annotations of the injector. */
public final class Marks {

    private static final String PREFIX = "elector.doyen.dev/";

    /**
     * The label of a pod or of its template. The value {@code "true"} requests an elector. With the value {@code
     * "false"}, the pod gets none.
     */
    public static final String INJECT = PREFIX + "inject";

    /** The label of the leader's pod, for Services that route only to the leader. */
    public static final String LEADER = PREFIX + "leader";

    /** The annotation that records the action of the injector on the pod. */
    public static final String STATUS = PREFIX + "status";

    /**
     * The annotation with the warnings of the injector, one in each line. The API server returns the warnings only to
     * the creator of a pod, which is usually a controller.
     */
    public static final String WARNING = PREFIX + "warning";

    /** The annotation with the name of the election. The injector adds the annotation if the pod does not set it. */
    public static final String ELECTION = PREFIX + "election";

    /**
     * The annotation that controls the label {@link #LEADER}. With the value {@code "false"}, the pod never gets the
     * label.
     */
    public static final String LEADER_LABEL = PREFIX + "leader-label";

    /** The value of {@link #STATUS} on a pod whose elector this injector added. */
    public static final String INJECTED = "injected";

    /**
     * The name of the elector's container. The injector adds no container to a pod that already has a container of this
     * name.
     */
    public static final String CONTAINER = "elector";

    private Marks() {}

    /** Returns the name of the annotation for an option, such as {@code port}. */
    static String option(String name) {
        return PREFIX + name;
    }

    /** Returns true if an annotation has the injector's prefix, even if the annotation is unknown. */
    static boolean isOurs(String annotation) {
        return annotation.startsWith(PREFIX);
    }
}
