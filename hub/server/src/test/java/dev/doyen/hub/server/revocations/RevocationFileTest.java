package dev.doyen.hub.server.revocations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.auth.Revocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RevocationFileTest {

    private static final Revocation ANN = new Revocation("app.key", "clientId:ann\n\"x\"", 1_700_000_000_000L);
    private static final Revocation BEN = new Revocation("app.key", "revocationKey:ben", 5);

    @TempDir
    Path directory;

    @Test
    void stored_revocations_are_read_at_the_next_start() throws Exception {
        try (var file = new RevocationFile(directory)) {
            assertThat(file.stored()).isEmpty();
            file.store(List.of(ANN)).get();
            file.store(List.of(ANN, BEN)).get();
        }
        try (var file = new RevocationFile(directory)) {
            assertThat(file.stored()).containsExactly(ANN, BEN);
            file.store(List.of(BEN)).get();
        }
        try (var file = new RevocationFile(directory)) {
            assertThat(file.stored()).containsExactly(BEN);
        }
        assertThat(directory.toFile().list()).containsExactly("revocations");
    }

    @Test
    void a_close_waits_for_the_last_write() throws Exception {
        try (var file = new RevocationFile(directory)) {
            for (int i = 0; i < 100; i++) {
                file.store(List.of(new Revocation("app.key", "clientId:ann", i)));
            }
        }
        try (var file = new RevocationFile(directory)) {
            assertThat(file.stored()).containsExactly(new Revocation("app.key", "clientId:ann", 99));
        }
    }

    /** Returns a list that computes its only revocation at each access. */
    private static List<Revocation> computed(Supplier<Revocation> revocation) {
        return new AbstractList<>() {
            @Override
            public Revocation get(int index) {
                return revocation.get();
            }

            @Override
            public int size() {
                return 1;
            }
        };
    }

    private static Revocation after(CountDownLatch latch, Revocation revocation) {
        try {
            latch.await();
            return revocation;
        } catch (InterruptedException e) {
            throw new IllegalStateException("the write was interrupted", e);
        }
    }

    @Test
    void revocations_whose_write_fails_with_an_Error_are_not_reported_as_stored() throws Exception { // L8
        try (var file = new RevocationFile(directory)) {
            var writing = new CountDownLatch(1);
            var mayContinue = new CountDownLatch(1);
            CompletableFuture<Void> first = file.store(computed(() -> {
                writing.countDown();
                return after(mayContinue, ANN);
            }));
            assertThat(writing.await(60, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Void> second = file.store(List.of(BEN));
            CompletableFuture<Void> third = file.store(computed(() -> {
                throw new OutOfMemoryError("on purpose");
            }));
            mayContinue.countDown();

            first.get(60, TimeUnit.SECONDS);
            assertThatThrownBy(() -> second.get(60, TimeUnit.SECONDS)).hasMessageContaining("on purpose");
            assertThatThrownBy(() -> third.get(60, TimeUnit.SECONDS)).hasMessageContaining("on purpose");
        }
    }

    @Test
    void a_close_fails_the_writes_that_it_drops() throws Exception {
        var file = new RevocationFile(directory);
        var writing = new CountDownLatch(1);
        CompletableFuture<Void> hanging = file.store(computed(() -> {
            writing.countDown();
            return after(new CountDownLatch(1), ANN);
        }));
        assertThat(writing.await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> waiting = file.store(List.of(BEN));

        file.close();

        assertThatThrownBy(() -> hanging.get(60, TimeUnit.SECONDS)).hasMessageContaining("interrupted");
        assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS)).hasMessageContaining("was closed");
    }

    @Test
    void drafts_of_a_crash_are_deleted() throws Exception {
        Files.writeString(directory.resolve("revocations123.tmp"), "{");
        new RevocationFile(directory).close();
        assertThat(directory.toFile().list()).isEmpty();
    }

    @Test
    void a_foreign_file_is_rejected_so_that_no_revocation_is_lost() throws Exception {
        for (String line :
                List.of("no json", "{\"key\":\"a.b\"}", "{\"key\":\"a.b\",\"target\":\"x\",\"issuedBefore\":1.5}")) {
            Files.writeString(directory.resolve("revocations"), line);
            assertThatThrownBy(() -> new RevocationFile(directory))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("contains a line that is no revocation; move the file away only if");
        }
    }

    @Test
    void a_directory_that_is_gone_fails_the_store() throws Exception {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        try (var file = new RevocationFile(gone)) {
            Files.delete(gone);
            assertThatThrownBy(() -> file.store(List.of(ANN)).get())
                    .hasMessageContaining("cannot be written to " + gone);
            // A call must fail even if its revocations were part of the failed write of an earlier call.
            var failing = IntStream.range(0, 50)
                    .mapToObj(i -> file.store(List.of(ANN)))
                    .toList();
            assertThat(failing)
                    .allSatisfy(store -> assertThatThrownBy(store::get).hasMessageContaining("cannot be written"));
            Files.createDirectory(gone);
            file.store(List.of(ANN)).get();
        }
        try (var file = new RevocationFile(gone)) {
            assertThat(file.stored()).containsExactly(ANN);
        }
    }
}
