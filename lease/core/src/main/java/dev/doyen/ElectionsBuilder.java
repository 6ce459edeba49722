package dev.doyen;

import dev.doyen.driver.LoopContext;
import dev.doyen.text.ElectionNames;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Settings of {@link Elections}. */
public final class ElectionsBuilder extends LeaseSettings<ElectionsBuilder> {

    private String process = hostAndPid();

    ElectionsBuilder() {}

    /**
     * Sets the name by which people recognize this process in its session record. Default: host name and process id.
     */
    public ElectionsBuilder process(String name) {
        this.process = ElectionNames.check("process name", name);
        return this;
    }

    /**
     * Opens the elections.
     *
     * @throws IllegalArgumentException if no store is set, if the URL of the store is invalid, or if fencing is
     *     required and the store does not promise durable terms
     * @throws dev.doyen.store.StoreUnavailableException if the store cannot be used
     * @throws IllegalStateException if the JVM is shutting down, unless {@link #closeOnShutdown} is set to false
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
