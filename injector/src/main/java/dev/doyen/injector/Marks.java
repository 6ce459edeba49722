package dev.doyen.injector;

/** The labels and annotations by which pods, people and this program speak to each other. */
public final class Marks {

    private static final String PREFIX = "elector.doyen.dev/";

    /** Label on a pod (template): {@code "true"} asks for an elector. */
    public static final String INJECT = PREFIX + "inject";

    /** Label on the leader's pod, for Services that route to the leader only. */
    public static final String LEADER = PREFIX + "leader";

    /** Annotation that says what this program did to the pod. */
    public static final String STATUS = PREFIX + "status";

    /** Annotation with the name of the election; written down by this program if the pod does not choose one. */
    public static final String ELECTION = PREFIX + "election";

    /** Annotation: {@code "false"} keeps {@link #LEADER} away from the pods of this election. */
    public static final String LEADER_LABEL = PREFIX + "leader-label";

    /** The value of {@link #STATUS} on a pod whose elector is ours. */
    public static final String INJECTED = "injected";

    /** The name of the container; a pod that has one by this name gets no second. */
    public static final String CONTAINER = "elector";

    private Marks() {}

    /** The annotation for an option, such as {@code port}. */
    static String option(String name) {
        return PREFIX + name;
    }

    /** Whether an annotation is one of ours, known or not. */
    static boolean isOurs(String annotation) {
        return annotation.startsWith(PREFIX);
    }
}
