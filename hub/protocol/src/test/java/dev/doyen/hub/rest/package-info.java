/** The package tests the classes that answer HTTP requests. */
@NullMarked
package dev.doyen.hub.rest;

import org.jspecify.annotations.NullMarked;
