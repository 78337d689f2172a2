"""Mutation testing of a rules package: does a marked test fail when a line of it is wrong?"""
