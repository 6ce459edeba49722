package dev.doyen.stores.quorum;

import java.nio.file.Path;
import java.util.List;

/** A program that runs one member of a quorum until it is killed. */
public final class MemberProgram {

    private MemberProgram() {}

    /**
     * Runs the member. The arguments are the addresses of all members separated by commas, the member's own address,
     * and its directory.
     */
    public static void main(String[] args) throws Exception {
        LibraryLog.off();
        QuorumLeaseStore.open(QuorumSettings.of(List.of(args[0].split(",", -1)), args[1], Path.of(args[2])));
        Thread.sleep(Long.MAX_VALUE);
    }
}
