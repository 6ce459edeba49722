package dev.doyen.stores.quorum;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The members of a quorum and the address of this process.
 *
 * @param members the address {@code host:port} of each member
 * @param self the address of this process, which is one of the members or joins them
 */
record NamedMembers(List<String> members, String self) {

    private static final Pattern POD = Pattern.compile("(.+)-(0|[1-9][0-9]{0,3})");

    NamedMembers {
        members = List.copyOf(members);
    }

    /**
     * Derives the members from a StatefulSet in Kubernetes.
     *
     * <p>The pods are named {@code NAME-0}, {@code NAME-1} and so on. In DNS a pod has the name {@code NAME-0.SERVICE},
     * where SERVICE is the headless Service. A pod whose number is {@code count} or greater joins the quorum of the
     * first {@code count} pods.
     *
     * @param what a description of the pod name, for the message
     * @param pod the name of this process's pod; a dot and the text after it are ignored
     * @throws IllegalArgumentException if the name does not end with a hyphen and a number below
     *     {@link QuorumSettings#MAX_MEMBERS}, or if the number has a leading zero
     */
    static NamedMembers pods(String what, String pod, MemberAddress service, int count) {
        Matcher name = POD.matcher(pod.replaceFirst("\\..*", ""));
        if (!name.matches() || Integer.parseInt(name.group(2)) >= QuorumSettings.MAX_MEMBERS) {
            throw new IllegalArgumentException(
                    "quorum: " + what + " is \"" + pod + "\", which is none of NAME-0 to NAME-"
                            + (QuorumSettings.MAX_MEMBERS - 1)
                            + ", as the pods of a StatefulSet are named; add id=, such as id=doyen-0,"
                            + " or name all members and their ports");
        }
        List<String> pods = IntStream.range(0, QuorumSettings.MAX_MEMBERS)
                .mapToObj(ordinal -> name.group(1) + "-" + ordinal + "." + service)
                .toList();
        return new NamedMembers(pods.subList(0, count), pods.get(Integer.parseInt(name.group(2))));
    }
}
