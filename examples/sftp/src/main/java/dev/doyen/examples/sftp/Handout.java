package dev.doyen.examples.sftp;

import dev.doyen.LeaseLeadership;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the files of the folder, hands out their rows, and moves booked files.
 *
 * <p>Only the leader does this work.
 */
final class Handout {

    static final int ROWS_PER_BATCH = 100;

    /** The maximum number of waiting batches of one file. The limit prevents slow booking from filling the database. */
    static final int MAX_OPEN_BATCHES = 64;

    private static final int PAUSE_MILLIS = 100;

    private final SftpFolder folder;
    private final Batches batches;
    private final LeaseLeadership leadership;

    Handout(SftpFolder folder, Batches batches, LeaseLeadership leadership) {
        this.folder = folder;
        this.batches = batches;
        this.leadership = leadership;
    }

    /** Hands out rows until this process no longer leads. */
    void run() throws IOException, SQLException, InterruptedException {
        while (leadership.isCertain()) {
            for (String file : folder.waiting()) {
                if (!batches.isFinished(file)) {
                    handOut(file);
                } else if (batches.open(file) == 0) {
                    folder.moveToDone(file);
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private void handOut(String file) throws IOException, SQLException, InterruptedException {
        Position left = Position.of(leadership.state());
        Position at = left.file().equals(file) ? left : Position.startOf(file);
        System.out.println("term " + leadership.term() + ": " + file + " from row " + at.row());
        RowReader reader = folder.read(at);
        try {
            while (leadership.isCertain()) {
                Batch batch = read(reader, at);
                Position read = new Position(file, at.row() + batch.rows().size(), reader.offset());
                if (batch.rows().isEmpty()) {
                    batches.finish(at, leadership.term());
                    return;
                }
                while (batches.open(file) >= MAX_OPEN_BATCHES) {
                    Thread.sleep(PAUSE_MILLIS);
                }
                at = batches.handOut(batch, read, leadership.term());
                // The position is saved after the commit. If the process is killed before the save, the next leader
                // hands out the batch again, which has no effect.
                leadership.save(at.toState());
                if (!at.equals(read)) {
                    reader.close();
                    reader = folder.read(at);
                }
            }
        } finally {
            reader.close();
        }
    }

    private static Batch read(RowReader reader, Position at) throws IOException {
        List<String> rows = new ArrayList<>();
        while (rows.size() < ROWS_PER_BATCH) {
            String row = reader.next();
            if (row == null) {
                break;
            }
            rows.add(row);
        }
        return new Batch(at.file(), at.row(), rows);
    }
}
