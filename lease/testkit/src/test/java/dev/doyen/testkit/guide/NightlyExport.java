package dev.doyen.testkit.guide;

import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.event.SavedState;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/** Exports rows while it leads, and saves its progress for the next leader. */
class NightlyExport {

    private final LeaseCandidate candidate;
    private final BlockingQueue<String> exported;

    NightlyExport(LeaseCandidate candidate, BlockingQueue<String> exported) {
        this.candidate = candidate;
        this.exported = exported;
    }

    /** Returns true when all rows are exported. */
    boolean run(List<String> rows) throws InterruptedException {
        return candidate.whileLeading(leadership -> {
            for (int row = done(leadership); row < rows.size(); row++) {
                exported.put(rows.get(row));
                leadership.save(SavedState.ofText(Integer.toString(row + 1)));
            }
        });
    }

    private static int done(LeaseLeadership leadership) {
        return leadership.state().isEmpty()
                ? 0
                : Integer.parseInt(leadership.state().text());
    }
}
