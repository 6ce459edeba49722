package dev.doyen.cli.run.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CommandTreeTest {

    private static final ProcessEntry DOYEN = new ProcessEntry(10, 1, 10, 5);
    private static final ProcessEntry COMMAND = new ProcessEntry(20, 10, 20, 20);
    private static final ProcessEntry CHILD = new ProcessEntry(21, 20, 20, 20);
    private static final ProcessEntry STRANGER = new ProcessEntry(30, 1, 30, 30);

    @Test
    void processes_of_the_session_belong_to_the_command_without_their_parents() {
        var orphan = new ProcessEntry(22, 1, 20, 20);

        assertThat(new CommandTree(20, true).members(List.of(DOYEN, COMMAND, CHILD, orphan, STRANGER)))
                .containsExactly(COMMAND, CHILD, orphan);
    }

    @Test
    void a_job_in_its_own_process_group_belongs_to_the_session() {
        var tree = new CommandTree(20, true);
        var job = new ProcessEntry(23, 20, 23, 20);
        var members = tree.members(List.of(COMMAND, job));

        assertThat(tree.targets(members)).containsExactlyInAnyOrder(-20L, -23L);
        assertThat(tree.group(members)).containsExactly(-20L);
    }

    @Test
    void a_descendant_in_another_session_belongs_to_the_command_and_so_do_its_children() {
        var tree = new CommandTree(20, true);
        var left = new ProcessEntry(24, 21, 24, 24);
        var below = new ProcessEntry(25, 24, 24, 24);
        var members = tree.members(List.of(below, left, COMMAND, CHILD));

        assertThat(members).contains(left, below);
        assertThat(tree.targets(members)).containsExactlyInAnyOrder(-20L, 24L, 25L);
    }

    @Test
    void a_found_process_is_tracked_after_its_parents_have_ended() {
        var tree = new CommandTree(20, true);
        tree.members(List.of(COMMAND, CHILD, new ProcessEntry(24, 21, 24, 24)));

        assertThat(tree.members(List.of(DOYEN, new ProcessEntry(24, 1, 24, 24), STRANGER)))
                .extracting(ProcessEntry::pid)
                .containsExactly(24L);
    }

    @Test
    void a_reused_process_id_is_not_tracked() {
        var tree = new CommandTree(20, true);
        tree.members(List.of(COMMAND, new ProcessEntry(24, 20, 24, 24)));
        tree.members(List.of(COMMAND));

        assertThat(tree.members(List.of(new ProcessEntry(24, 1, 24, 24)))).isEmpty();
    }

    @Test
    void marked_processes_belong_to_the_command() {
        var tree = new CommandTree(20, true);
        tree.add(List.of(30L));

        assertThat(tree.members(List.of(DOYEN, STRANGER))).containsExactly(STRANGER);
    }

    @Test
    void without_its_own_session_neither_this_process_nor_its_group_is_signalled() {
        var tree = new CommandTree(20, false);
        var command = new ProcessEntry(20, 10, 10, 5);
        var child = new ProcessEntry(21, 20, 10, 5);
        var members = tree.members(List.of(DOYEN, command, child));

        assertThat(members).containsExactly(command, child);
        assertThat(tree.targets(members)).containsExactlyInAnyOrder(20L, 21L);
        assertThat(tree.group(members)).containsExactly(20L);
    }

    @Test
    void a_command_that_is_entering_its_session_is_signalled_alone() {
        var tree = new CommandTree(20, true);
        var members = tree.members(List.of(DOYEN, new ProcessEntry(20, 10, 10, 5)));

        assertThat(tree.targets(members)).containsExactly(20L);
        assertThat(tree.group(members)).containsExactly(20L);
    }
}
