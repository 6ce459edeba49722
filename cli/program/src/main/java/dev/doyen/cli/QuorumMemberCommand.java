package dev.doyen.cli;

import dev.doyen.process.RunSignal;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.quorum.QuorumLeaseStore;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code doyen quorum member}: runs a member process that only stores records. */
@Command(
        name = "member",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Runs a member that stores records for other processes, until Ctrl-C or SIGTERM. The URL in"
                + " --store also contains the directory and the id of the member:"
                + " quorum://a:7800,b:7800,c:7800/var/lib/doyen?id=a:7800",
        footerHeading = "%n",
        footer = {
            "Prints a line when the process becomes a member, when the Raft leader changes, and when the member knows"
                    + " no Raft leader.",
            "",
            "Exit code: 0 a signal ended the command; 1 the directory or the address cannot be used; 2 wrong usage."
        })
final class QuorumMemberCommand extends BaseCommand {

    private static final long LOOK_MILLIS = 200;

    @Mixin
    private final StoreOptions store;

    private final LogSetup logSetup;
    private final Consumer<Consumer<RunSignal>> signals;
    private final CountDownLatch ending = new CountDownLatch(1);

    /**
     * Creates the command.
     *
     * @param signals receives the handler of the signals that this process gets
     */
    QuorumMemberCommand(Map<String, String> environment, LogSetup logSetup, Consumer<Consumer<RunSignal>> signals) {
        this.store = new StoreOptions(environment);
        this.logSetup = logSetup;
        this.signals = signals;
    }

    @Override
    public Integer call() throws CommandFailedException, InterruptedException {
        logSetup.configure(store.json());
        signals.accept(signal -> {
            if (signal == RunSignal.TERM || signal == RunSignal.INT || signal == RunSignal.HUP) {
                ending.countDown();
            }
        });
        try (var opened = LeaseStore.open(memberUrl())) {
            if (opened instanceof QuorumLeaseStore member) {
                follow(member);
            }
            return 0;
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        } catch (StoreUnavailableException e) {
            throw new CommandFailedException("The member cannot start: " + e.getMessage(), e);
        }
    }

    private String memberUrl() {
        String url = QuorumStoreCommand.url(store);
        if (!QuorumLeaseStore.isMember(url)) {
            throw new IllegalArgumentException("a member needs a directory and an id in the URL of the store, such as"
                    + " quorum://a:7800,b:7800,c:7800/var/lib/doyen?id=a:7800");
        }
        return url;
    }

    private void follow(QuorumLeaseStore member) throws InterruptedException {
        String last = "";
        do {
            var notice = new MemberNotice(member.status());
            if (!notice.text().equals(last)) {
                last = notice.text();
                out().println(store.json() ? notice.json() : last);
                out().flush();
            }
        } while (!ending.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
    }
}
