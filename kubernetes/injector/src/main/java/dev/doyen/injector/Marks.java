package dev.doyen.injector;

/** The names of the labels and annotations of the injector. */
public final class Marks {

    private static final String PREFIX = "elector.doyen.dev/";

    /** Label on a pod or its template: {@code "true"} asks for an elector. */
    public static final String INJECT = PREFIX + "inject";

    /** Label on the leader's pod, for Services that route to the leader only. */
    public static final String LEADER = PREFIX + "leader";

    /** Annotation that records what the injector did to the pod. */
    public static final String STATUS = PREFIX + "status";

    /** Annotation with the name of the election. The injector adds it if the pod does not set it. */
    public static final String ELECTION = PREFIX + "election";

    /** Annotation: {@code "false"} keeps {@link #LEADER} away from the pods of this election. */
    public static final String LEADER_LABEL = PREFIX + "leader-label";

    /** The value of {@link #STATUS} on a pod whose elector this injector added. */
    public static final String INJECTED = "injected";

    /** The name of the elector's container. A pod that already has a container of this name gets no second one. */
    public static final String CONTAINER = "elector";

    private Marks() {}

    /** Returns the name of the annotation for an option, such as {@code port}. */
    static String option(String name) {
        return PREFIX + name;
    }

    /** Returns whether an annotation has our prefix, even if it is unknown. */
    static boolean isOurs(String annotation) {
        return annotation.startsWith(PREFIX);
    }
}
