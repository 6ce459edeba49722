@NullMarked
package dev.doyen.stores.kubernetes.rest;

import org.jspecify.annotations.NullMarked;
