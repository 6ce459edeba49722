package dev.doyen;

import dev.doyen.driver.LoopContext;
import dev.doyen.text.ElectionNames;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Settings of {@link Elections}. */
public final class ElectionsBuilder extends LeaseSettings<ElectionsBuilder> {

    private String process = hostAndPid();

    ElectionsBuilder() {}

    /** Sets the name of this process, which its session record shows to people. Default: host name and process id. */
    public ElectionsBuilder process(String name) {
        this.process = ElectionNames.check("process name", name);
        return this;
    }

    /**
     * Opens the elections.
     *
     * @throws IllegalArgumentException if no store is set, its URL is invalid, or fencing is required and the store may
     *     forget terms
     * @throws dev.doyen.store.StoreUnavailableException if the store cannot be used
     */
    public Elections open() {
        return open("the elections of \"" + process + "\"", opened -> {
            var context = LoopContext.underSession(
                    opened.threads(), opened.store(), opened.timing(), opened.seeds(), process);
            return new SharedElections(context, opened);
        });
    }

    @Override
    ElectionsBuilder self() {
        return this;
    }

    private static String hostAndPid() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "unknown-host";
        }
        return host + "/" + ProcessHandle.current().pid();
    }
}
