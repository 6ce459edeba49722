package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.VersionedLease;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** A host of a {@link QuorumWorld} that runs a client of the members. */
final class WorldClient extends WorldHost {

    private final List<String> members;

    WorldClient(QuorumWorld world, int number, List<String> members) {
        super(world, number, "client" + number + ":1");
        this.members = members;
    }

    @Override
    boolean isMember() {
        return false;
    }

    @Override
    RegisterUser.Access startProcess() {
        var client = new QuorumClient(
                members,
                RegisterUser.TIMEOUT,
                new WorldTime(this),
                world().network().wire(this),
                Runnable::run,
                new Random(world().random().nextLong()));
        client.start();
        return new RegisterUser.Access() {
            @Override
            public CompletableFuture<VersionedLease> read(String register) {
                // After catchUp, the client's member has all writes that were confirmed before this call.
                return client.catchUp(RegisterUser.TIMEOUT)
                        .thenCompose(done -> client.fetch(List.of(register), RegisterUser.TIMEOUT))
                        .thenApply(found -> found.get(register));
            }

            @Override
            public CompletableFuture<List<CasOutcome>> write(List<LeaseStore.Write> writes) {
                return client.write(writes, RegisterUser.TIMEOUT);
            }
        };
    }
}
