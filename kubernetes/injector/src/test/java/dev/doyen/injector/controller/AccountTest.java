package dev.doyen.injector.controller;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccountTest {

    @Test
    void its_binding_is_called_as_naiserator_calls_it() {
        assertThat(new Account("shop", "myapplication").bindingName()).isEqualTo("elector-myapplication-40c4e812");
    }

    @Test
    void a_long_name_is_cut_and_told_apart_by_what_it_was() {
        var name = new Account("shop", "a".repeat(60)).bindingName();
        assertThat(name).hasSize(63).isEqualTo("elector-" + "a".repeat(46) + "-f07c4b9d");
    }
}
