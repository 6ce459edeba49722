package dev.doyen.demo.quorum.driver;

import java.nio.file.Path;
import java.util.List;

/**
 * The command-line arguments of a {@link MemberProgram}.
 *
 * @param number the number of the member
 * @param address the address on which the member listens
 * @param members the addresses of all members. The list omits {@code address} if the quorum does not contain this
 *     member yet
 * @param folder the directory of the demonstration
 */
record MemberArguments(int number, String address, List<String> members, DemoFolder folder) {

    private static final int COUNT = 4;

    MemberArguments {
        members = List.copyOf(members);
    }

    static MemberArguments read(String... arguments) {
        if (arguments.length != COUNT) {
            throw new IllegalArgumentException("the process of a member takes " + COUNT
                    + " arguments: its number, its address, all addresses with commas between, and the directory");
        }
        return new MemberArguments(
                Integer.parseInt(arguments[0]),
                arguments[1],
                List.of(arguments[2].split(",")),
                new DemoFolder(Path.of(arguments[3])));
    }

    List<String> toList() {
        return List.of(
                Integer.toString(number),
                address,
                String.join(",", members),
                folder.root().toString());
    }
}
