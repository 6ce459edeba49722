package dev.doyen.injector.controller;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccountTest {

    @Test
    void the_role_binding_has_the_name_that_naiserator_uses() {
        assertThat(new Account("shop", "myapplication").bindingName()).isEqualTo("elector-myapplication-40c4e812");
    }

    @Test
    void a_long_name_is_shortened_with_a_hash() {
        var name = new Account("shop", "a".repeat(60)).bindingName();
        assertThat(name).hasSize(63).isEqualTo("elector-" + "a".repeat(46) + "-f07c4b9d");
    }
}
