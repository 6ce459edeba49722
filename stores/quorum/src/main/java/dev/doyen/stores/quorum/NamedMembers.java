package dev.doyen.stores.quorum;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The members of a quorum, and which of them this process is.
 *
 * @param members {@code host:port} of each
 * @param self the member that this process is
 */
record NamedMembers(List<String> members, String self) {

    private static final Pattern POD = Pattern.compile("(.+)-([0-9]{1,4})");

    NamedMembers {
        members = List.copyOf(members);
    }

    /**
     * Finds members that are the pods of a StatefulSet in Kubernetes. They are named {@code NAME-0}, {@code NAME-1} and so
     * on. Each has a name in DNS below that of the headless Service: {@code NAME-0.SERVICE}.
     *
     * @param what what the name is, for the message
     * @param pod the name of this process's pod; what follows a dot does not matter
     * @throws IllegalArgumentException if the name is not that of one of the first {@code count} pods
     */
    static NamedMembers pods(String what, String pod, MemberAddress service, int count) {
        Matcher name = POD.matcher(pod.replaceFirst("\\..*", ""));
        if (!name.matches() || Integer.parseInt(name.group(2)) >= count) {
            throw new IllegalArgumentException(
                    "quorum: " + what + " is \"" + pod + "\", which is none of NAME-0 to NAME-"
                            + (count - 1) + ", as the " + count
                            + " pods of a StatefulSet are named; add id=, such as id=doyen-0,"
                            + " or name all members and their ports");
        }
        List<String> members = IntStream.range(0, count)
                .mapToObj(ordinal -> name.group(1) + "-" + ordinal + "." + service)
                .toList();
        return new NamedMembers(members, members.get(Integer.parseInt(name.group(2))));
    }
}
